import { beforeEach, describe, expect, test } from '@jest/globals';
import { formatSecret } from '../../shared/protocol/secret.ts';
import { aFlag } from '../../shared/testing/builders.ts';
import { manifestSchema } from '../../shared/testing/manifestSchema.ts';
import { output, service, useService } from '../testing/fixture.ts';
import { aHttp, type TestHttp } from './testing/http.ts';

const MANIFEST = '/openfeature/v0/manifest';

useService();

let http: TestHttp;
beforeEach(() => {
  http = aHttp();
});

const put = (key: string, fields: Parameters<typeof aFlag>[0] = {}) =>
  service.store.documents.writeFlag(service.envId, key, () => aFlag({ key, ...fields }));
const bearer = (secret = service.secrets.server.value) => ({ authorization: `Bearer ${secret}` });
const ask = (path = MANIFEST, headers: Record<string, string> = bearer(), method = 'GET') =>
  http.ask(path, { secret: null, headers, method });
// biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came.
const told = async (response: Response): Promise<[number, any]> => [response.status, await response.json()];
const failure = (status: number, message: string) => [status, { error: { message, status } }];

describe('the manifest', () => {
  test('has all flags but archived and deleted ones, and says that it can only be read', async () => {
    await put('archived', { isArchived: true });
    await put('deleted', { isArchived: true, isDeleted: true });
    await put('B.b');
    await put('a');
    const response = await ask();
    expect(response.headers.get('x-manifest-capabilities')).toBe('read');
    expect(response.headers.get('content-type')).toBe('application/json');
    const manifest = manifestSchema.parse(await response.json());
    expect(manifest.flags.map(({ key }) => key)).toEqual(['B.b', 'a']);
  });

  test('is empty without flags', async () => {
    expect(await told(await ask())).toEqual([200, { flags: [] }]);
  });

  test('is answered with 304 until a flag changes', async () => {
    await put('f');
    const tag = (await ask()).headers.get('etag') ?? '';
    const known = { ...bearer(), 'if-none-match': tag };
    const same = await ask(MANIFEST, known);
    expect([same.status, await same.text(), same.headers.get('etag')]).toEqual([304, '', tag]);
    await put('f', { description: 'changed' });
    expect(await told(await ask(MANIFEST, known))).toMatchObject([200, { flags: [{ description: 'changed' }] }]);
  });

  test('takes a server key as other endpoints do, and paths in any letter case', async () => {
    const { value } = service.secrets.server;
    for (const headers of [bearer(), { authorization: value }, { 'x-api-key': value }]) {
      expect((await ask('/OpenFeature/v0/Manifest/', headers)).status).toBe(200);
    }
    expect((await ask(MANIFEST, bearer(), 'HEAD')).status).toBe(200);
  });

  test('refuses a client key with 403, and any other with 401, and names none of them', async () => {
    await put('f');
    const { client } = service.secrets;
    for (const headers of [bearer(client.value), { authorization: client.value }, { 'x-api-key': client.value }]) {
      expect(await told(await ask(MANIFEST, headers))).toEqual(
        failure(403, 'the manifest needs a server key; this is a client key'),
      );
    }
    const unknown = formatSecret('6e1b2d4f-0000-4000-8000-000000000002', service.envId);
    for (const [headers, reason] of [
      [{}, 'missing or malformed secret'],
      [bearer('nonsense'), 'missing or malformed secret'],
      [bearer(unknown), 'unknown or revoked secret'],
    ] as const) {
      const response = await ask(MANIFEST, headers);
      expect(response.headers.get('www-authenticate')).toBe('Bearer');
      expect(await told(response)).toEqual(failure(401, reason));
    }
    expect(output.text()).not.toContain(unknown);
  });

  test.each([
    [MANIFEST, 'PUT', 'GET, HEAD'],
    [`${MANIFEST}/flags`, 'POST', ''],
    [`${MANIFEST}/flags/f`, 'PUT', ''],
    [`${MANIFEST}/flags/f`, 'DELETE', ''],
  ])('refuses a change: %s %s', async (path, method, allow) => {
    const response = await ask(path, bearer(), method);
    expect(response.headers.get('allow')).toBe(allow);
    expect(await told(response)).toEqual(
      failure(405, 'the manifest is read-only; change flags in the console or on the command line'),
    );
  });

  test('knows no other path', async () => {
    expect(await told(await ask('/openfeature/v1/manifest'))).toEqual(
      failure(404, `this service only has ${MANIFEST}`),
    );
    expect((await ask('/openfeature/v1/manifest', {})).status).toBe(401);
  });

  test('is a 500 with words while the table cannot be read', async () => {
    http = aHttp({
      intercept: async () => {
        throw new Error('the table is down');
      },
    });
    const response = await ask();
    expect(response.headers.get('retry-after')).toBe('1');
    expect(await told(response)).toEqual(failure(500, 'the service cannot answer now; try again'));
    output.lines();
  });
});
