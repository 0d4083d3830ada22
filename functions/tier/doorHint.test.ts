import { Readable } from 'node:stream';
import { CloudFrontKeyValueStoreClient } from '@aws-sdk/client-cloudfront-keyvaluestore';
import { expect, test } from '@jest/globals';
import { createDoorHint } from './doorHint.ts';

const ARN = 'arn:aws:cloudfront::123456789012:key-value-store/01234567-89ab-cdef-0123-456789abcdef';

interface Request {
  readonly method: string;
  readonly hostname: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
}

/** A key-value store with one key. It refuses a write that does not name its version. */
function playStore(version = 1) {
  const requests: Request[] = [];
  const store = { version, value: '' };
  const respond = (statusCode: number, body: object, headers = {}) => {
    const json = { 'content-type': 'application/json', ...headers };
    return { response: { statusCode, headers: json, body: Readable.from([JSON.stringify(body)]) } };
  };
  const client = new CloudFrontKeyValueStoreClient({
    region: 'eu-west-1',
    credentials: { accessKeyId: 'key', secretAccessKey: 'secret', sessionToken: 'session' },
    maxAttempts: 1,
    requestHandler: {
      handle: async (request: Request) => {
        requests.push(request);
        if (request.method === 'GET')
          return respond(
            200,
            { ItemCount: 1, TotalSizeInBytes: 9, KvsARN: ARN, Created: 1 },
            { etag: `v${store.version}` },
          );
        if (request.headers['if-match'] !== `v${store.version}`)
          return respond(409, { Message: 'stale' }, { 'x-amzn-errortype': 'ConflictException' });
        store.version++;
        store.value = JSON.parse(new TextDecoder().decode(request.body)).Value;
        return respond(200, { ItemCount: 1, TotalSizeInBytes: 9 }, { etag: `v${store.version}` });
      },
    },
  });
  return { client, requests, store };
}

test('writes the tier in two requests that are signed for all regions', async () => {
  const { client, requests, store } = playStore();
  await createDoorHint(client, ARN)('gateway');
  expect(store).toEqual({ version: 2, value: 'gateway' });
  const path = `/key-value-stores/${encodeURIComponent(ARN)}`;
  expect(requests.map((request) => `${request.method} ${request.path}`)).toEqual([
    `GET ${path}`,
    `PUT ${path}/keys/tier`,
  ]);
  for (const { hostname, headers } of requests) {
    expect(hostname).toMatch(/^123456789012\.cloudfront-kvs\./);
    expect(headers['authorization']).toMatch(/^AWS4-ECDSA-P256-SHA256 /);
    expect(headers).toMatchObject({ 'x-amz-region-set': '*', 'x-amz-security-token': 'session' });
  }
});

test('writes again over a version that another writer made', async () => {
  const { client, store } = playStore();
  const write = createDoorHint(client, ARN);
  await write('gateway');
  store.version += 5;
  await write('host');
  expect(store.value).toBe('host');
});

test('fails if another writer is faster', async () => {
  const { client, requests, store } = playStore();
  const writing = createDoorHint(client, ARN)('host');
  client.middlewareStack.add(
    (next) => (args) => {
      if (requests.length > 0) store.version++;
      return next(args);
    },
    { step: 'initialize' },
  );
  await expect(writing).rejects.toMatchObject({ name: 'ConflictException' });
  expect(store.value).toBe('');
});
