import { once } from 'node:events';
import { createServer, request as forward, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import packageJson from '../package.json' with { type: 'json' };
import { systemEffects } from '../shared/runtime/effects.ts';
import { recordServiceVersion } from '../shared/store/table/serviceVersion.ts';
import { createDynamoDb } from '../shared/store/table/table.ts';
import { TestCli } from './testing/cli.ts';

let cli: TestCli;
let proxy: Server | undefined;

beforeEach(async () => {
  cli = await TestCli.start();
  await cli.run('env', 'create', 'shop');
});
afterEach(async () => {
  proxy?.closeAllConnections();
  proxy?.close();
  proxy = undefined;
  await cli.close();
});

async function deploy(version: string): Promise<void> {
  const client = createDynamoDb();
  await recordServiceVersion({ client, name: process.env['FLAGS_TABLE'] ?? '', effects: systemEffects }, version);
  client.destroy();
}

/** Answers the read of the version in place of the table. */
async function intercept(answer: (response: ServerResponse) => void): Promise<void> {
  const table = process.env['AWS_ENDPOINT_URL_DYNAMODB'] ?? '';
  proxy = createServer(async (request, response) => {
    const body = await text(request);
    if (body.includes('"SERVICE"')) {
      answer(response);
      return;
    }
    // With the header Host of the request, which is signed.
    const { headers } = request;
    forward(table, { method: 'POST', headers }, (answered) => {
      response.writeHead(answered.statusCode ?? 0, answered.headers);
      answered.pipe(response);
    }).end(body);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  process.env['AWS_ENDPOINT_URL_DYNAMODB'] = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
}

test.each(['0.0.1', '99.0.0'])('a service of version %s gives one warning, and valid JSON', async (version) => {
  await deploy(version);
  const { code, json, err } = await cli.run('list', '--json');
  expect([code, json]).toEqual([0, []]);
  expect(err).toMatch(
    new RegExp(`^warning: Flagwire ${version} is deployed, .* flagwire@${version} \\(docs/packages\\.md\\)$`),
  );
});

test('there is no warning with the same version, and none without a service', async () => {
  expect((await cli.run('list')).err).toBe('');
  await deploy(packageJson.version);
  expect((await cli.run('list')).err).toBe('');
});

test('a denied read is silent', async () => {
  await deploy('99.0.0');
  await intercept((response) => {
    response.writeHead(400, { 'content-type': 'application/x-amz-json-1.0' });
    response.end(
      JSON.stringify({ __type: 'com.amazon.coral.service#AccessDeniedException', message: 'not authorized' }),
    );
  });
  expect(await cli.run('list')).toMatchObject({ code: 0, out: 'there are no flags', err: '' });
});

test('a command ends while the read gets no answer, and ends the read', async () => {
  const asked = Promise.withResolvers<ServerResponse>();
  await intercept(asked.resolve);
  expect(await cli.run('list')).toMatchObject({ code: 0, out: 'there are no flags', err: '' });
  const response = await asked.promise;
  if (!response.closed) await once(response, 'close');
});
