import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { answerStarting } from './startingPage.ts';

const server = createServer((request, response) => {
  if (!answerStarting(request, response)) response.writeHead(204).end();
});
let url: string;
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
});

test.each(['/console/', '/console', '/try'])('%s is a page that waits', async (path) => {
  const response = await fetch(url + path);
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  const [, script = ''] = /<script>(.*)<\/script>/s.exec(await response.text()) ?? [];
  const hash = createHash('sha256').update(script).digest('base64');
  expect(response.headers.get('content-security-policy')).toContain(`script-src 'sha256-${hash}'; `);
});

test('an open page of the console is answered as by the console', async () => {
  const response = await fetch(`${url}/console/api/context`);
  expect([response.status, await response.json()]).toEqual([
    503,
    { error: { code: 'table-unavailable', message: 'Flagwire is starting. Try again in a moment.' } },
  ]);
});

test('SDKs are left alone', async () => {
  expect((await fetch(`${url}/api/public/insight/track`)).status).toBe(204);
});
