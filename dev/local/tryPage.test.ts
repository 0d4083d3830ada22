import { expect, test } from '@jest/globals';
import { formatSecret } from '../../shared/protocol/secret.ts';
import { useOwnServer } from './testing/ownServer.ts';
import { openTryPage } from './tryPage.ts';

const ENV = '226b9bf8-4af3-4ffa-9b01-162270e4cd40';
const CLIENT_KEY = formatSecret('00000000-0000-4000-8000-000000000001', ENV);
const pages = {
  own: openTryPage(CLIENT_KEY, undefined, 'new-checkout'),
  shared: openTryPage(CLIENT_KEY, 'http://192.168.1.20:5100/try', 'new-checkout'),
};
let page = pages.own;
const url = useOwnServer((request, response) => page(request, response));

const read = async (path: string) => {
  const response = await fetch(url() + path);
  return { response, text: await response.text() };
};

test('the page holds the client key and its environment, is small, and may reach nothing but its own address', async () => {
  const { response, text } = await read('/try');
  expect(text).toContain(`{"clientKey":"${CLIENT_KEY}","environment":"${ENV}","flagKey":"new-checkout"}`);
  expect(text.length).toBeLessThan(20_000);
  const policy = response.headers.get('content-security-policy') ?? '';
  const { host } = new URL(url());
  expect(policy).toContain(`connect-src 'self' ws://${host} wss://${host};`);
  expect(policy).toMatch(/default-src 'none'; script-src 'sha256-[\w+/=]{44}' 'self'; style-src 'sha256-[\w+/=]{44}';/);
  expect(policy).not.toMatch(/unsafe|\*/);
});

test('the SDK is bundled without what it would ask Node for', async () => {
  const { response, text } = await read('/try/sdk.js');
  expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  expect(text).toContain('FbClientBuilder');
  expect(text).not.toMatch(/require\(|from"node:/);
});

test('a QR code is shown where phones can connect, for the same flag', async () => {
  expect((await read('/try')).text).not.toContain('<svg');
  expect((await read('/try')).text).toContain('--host 0.0.0.0');
  page = pages.shared;
  const codes = [];
  for (const path of ['/try', '/try?flag=new-checkout', '/try?flag="><script>', '/try?flag=a&b=c']) {
    const { text } = await read(path);
    const [, link] = /<a href="([^"]*)"/.exec(text) ?? [];
    codes.push([link, text.match(/<svg/g)?.length, text.match(/<script/g)?.length]);
  }
  const bare = ['http://192.168.1.20:5100/try', 1, 2];
  expect(codes).toEqual([bare, ['http://192.168.1.20:5100/try?flag=new-checkout', 1, 2], bare, bare]);
});

test('no other file is served, and other paths are left alone', async () => {
  expect((await read('/try/other')).response.status).toBe(404);
  expect((await read('/trying')).response.status).toBe(204);
});
