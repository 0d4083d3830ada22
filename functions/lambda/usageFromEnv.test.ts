import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { systemEffects } from '../../shared/runtime/effects.ts';
import { aFlag } from '../../shared/testing/builders.ts';
import { compileEnvironment } from '../../shared/testing/evaluate.ts';
import { captureOutput } from '../testing/output.ts';
import { usageFromEnv } from './usageFromEnv.ts';

const bodies: string[] = [];
const server = createServer(async (request, response) => {
  bodies.push((await request.toArray()).join(''));
  response.writeHead(500).end('{"__type":"InternalServerError"}');
});
const output = captureOutput();
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
afterAll(() => {
  output.release();
  return new Promise((resolve) => server.close(resolve));
});

test('a count is sent once, because a write that failed may have succeeded', async () => {
  Object.assign(process.env, {
    USAGE_TABLE: 'Usage',
    AWS_REGION: 'eu-west-1',
    AWS_ACCESS_KEY_ID: 'id',
    AWS_SECRET_ACCESS_KEY: 'key',
    AWS_ENDPOINT_URL_DYNAMODB: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  });
  const { usage } = usageFromEnv(systemEffects);
  const snapshot = compileEnvironment([aFlag({ key: 'f' })]);
  await usage?.count('e', snapshot, [{ flagKey: 'f', variationId: 'on' }]);
  await usage?.count('e', snapshot, []);
  expect(bodies.filter((body) => body.includes('"n#on"'))).toHaveLength(1);
  expect(output.text()).toContain('usage counts dropped');
});
