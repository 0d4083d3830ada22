import { gunzipSync } from 'node:zlib';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { formatSecret } from '../../shared/protocol/secret.ts';
import { SECRET_CACHE_MS } from '../../shared/store/environments/secretCache.ts';
import { hashSecret } from '../../shared/store/table/keys.ts';
import { aCondition, aFlag, aRule, aSegment } from '../../shared/testing/builders.ts';
import { output, service, useService } from '../testing/fixture.ts';
import { BODY_LIMIT_BYTES } from './body.ts';
import { aHttp, DEEP, type TestHttp } from './testing/http.ts';

const FLAGS = '/ofrep/v1/evaluate/flags';

useService();

let http: TestHttp;
beforeEach(() => {
  http = aHttp();
});

const context = { targetingKey: 'u1', country: 'us' };
const put = (key: string, fields: Parameters<typeof aFlag>[0] = {}) =>
  service.store.documents.writeFlag(service.envId, key, () => aFlag({ key, ...fields }));
const bearer = (secret = service.secrets.client.value) => ({ authorization: `Bearer ${secret}` });
const ask = (path: string, body: unknown = { context }, headers: Record<string, string> = bearer()) =>
  http.ask(path, { secret: null, body, headers });
// biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came.
const told = async (response: Response): Promise<[number, any]> => [response.status, await response.json()];

describe('one flag', () => {
  test('is answered at a base URL that ends with a slash', async () => {
    await put('f');
    expect((await ask(`/${FLAGS}/f`)).status).toBe(200);
  });

  test('is answered with its value, its variant, the reason, and what a report needs', async () => {
    await put('Matched', { rules: [aRule([aCondition('country', 'Equal', 'us')])] });
    expect(await told(await ask(`${FLAGS}/Matched`))).toEqual([
      200,
      {
        key: 'Matched',
        value: false,
        variant: 'off',
        reason: 'TARGETING_MATCH',
        metadata: {
          variationName: 'Off',
          matchReason: 'Rule 1',
          sendToExperiment: true,
          version: expect.stringMatching(/^\d+$/),
        },
      },
    ]);
  });

  test('is looked up by its key as it is written, which may be encoded', async () => {
    await put('A.b');
    for (const key of ['A.b', 'A%2Eb', 'A.b/', 'A.b//', '/A.b'])
      expect((await ask(`${FLAGS}/${key}`)).status).toBe(200);
    expect((await ask(`/OFREP/v1/Evaluate/flags/A.b`)).status).toBe(200);
    expect((await ask(`${FLAGS}/a.b`)).status).toBe(404);
  });

  test.each(['gone', 'archived', 'a b', '%', '__proto__'])('is 404 if it does not exist: %s', async (key) => {
    await put('archived', { isArchived: true });
    expect(await told(await ask(`${FLAGS}/${encodeURIComponent(key)}`))).toEqual([
      404,
      { key, errorCode: 'FLAG_NOT_FOUND', errorDetails: `there is no flag "${key}"` },
    ]);
  });

  test('is 404 if its path is broken', async () => {
    expect((await ask(`${FLAGS}/%E0%A4%A`)).status).toBe(404);
  });

  test('is 400 if its value is not of its type', async () => {
    await put('broken', { variationType: 'json', variations: [{ id: 'on', value: '{' }] });
    const errorDetails = 'the value of variation "on" is not of the flag\'s type, json';
    expect(await told(await ask(`${FLAGS}/broken`))).toEqual([
      400,
      { key: 'broken', errorCode: 'PARSE_ERROR', errorDetails },
    ]);
  });

  test('looks into segments', async () => {
    await service.store.documents.writeSegment(service.envId, 's', () => aSegment({ id: 's', included: ['u1'] }));
    await put('f', { rules: [aRule([aCondition('User is in segment', null, '["s"]')])] });
    expect(await told(await ask(`${FLAGS}/f`))).toMatchObject([200, { value: false }]);
    expect(await told(await ask(`${FLAGS}/f`, { context: { targetingKey: 'u2' } }))).toMatchObject([
      200,
      { value: true },
    ]);
  });
});

describe('all flags', () => {
  test('are answered each as alone, except archived ones; a broken one harms no other', async () => {
    await put('f');
    await put('archived', { isArchived: true });
    await put('broken', { variationType: 'number' });
    const [status, { flags, metadata }] = await told(await ask(FLAGS));
    expect(status).toBe(200);
    expect(flags).toEqual([
      { key: 'f', value: true, variant: 'on', reason: 'STATIC' },
      expect.objectContaining({ key: 'broken', errorCode: 'PARSE_ERROR' }),
    ]);
    const { updatedAt } = await service.store.documents.version(service.envId);
    expect(metadata).toEqual({ flagSetId: service.envId, version: String(updatedAt) });
  });

  test('are none in an empty environment, and name no event streams', async () => {
    expect(await told(await ask(FLAGS))).toEqual([200, { flags: [], metadata: expect.anything() }]);
  });

  test('are answered with 304 to whoever has them, and with what changed afterwards', async () => {
    await put('f');
    const first = await ask(FLAGS);
    const tag = first.headers.get('etag') ?? '';
    expect(tag).toMatch(/^W\/"[\w-]{43}"$/);
    for (const known of [tag, tag.slice(2), `"other", ${tag}`, '*']) {
      const again = await ask(FLAGS, { context }, { ...bearer(), 'if-none-match': known });
      expect([known, again.status, await again.text(), again.headers.get('etag')]).toEqual([known, 304, '', tag]);
    }
    await put('f', { isEnabled: false });
    const changed = await ask(FLAGS, { context }, { ...bearer(), 'if-none-match': tag });
    expect(await told(changed)).toMatchObject([200, { flags: [{ value: false, reason: 'STATIC' }] }]);
    expect(changed.headers.get('etag')).not.toBe(tag);
  });

  test('have another tag where another context gets other values', async () => {
    await put('f', { rules: [aRule([aCondition('country', 'Equal', 'us')])] });
    const tag = (await ask(FLAGS)).headers.get('etag') ?? '';
    const headers = { ...bearer(), 'if-none-match': tag };
    const other = await ask(FLAGS, { context: { targetingKey: 'u1', country: 'de' } }, headers);
    expect(await told(other)).toMatchObject([200, { flags: [{ value: true }] }]);
    expect((await ask(FLAGS, { context }, { ...bearer(), 'if-none-match': '"x", y' })).status).toBe(200);
  });

  test('are compressed where they are many, under the same tag', async () => {
    await put('large', { variationType: 'string', variations: [{ id: 'on', value: 'x'.repeat(100_000) }] });
    const plain = await ask(FLAGS);
    const packed = await ask(FLAGS, { context }, { ...bearer(), 'accept-encoding': 'gzip' });
    expect(packed.headers.get('content-encoding')).toBe('gzip');
    expect(packed.headers.get('etag')).toBe(plain.headers.get('etag'));
    expect(gunzipSync(await packed.arrayBuffer()).toString()).toBe(await plain.text());
  });
});

describe.each([
  [`${FLAGS}/f`, { key: 'f' }],
  [FLAGS, {}],
])('%s', (path, named) => {
  beforeEach(() => put('f'));

  test.each<[string, unknown, string]>([
    ['no body', '', 'PARSE_ERROR'],
    ['no JSON', '{"context":', 'PARSE_ERROR'],
    ['a list', [{ context }], 'PARSE_ERROR'],
    ['brackets a thousand deep', DEEP, 'PARSE_ERROR'],
    ['a context that is text', { context: 'u1' }, 'INVALID_CONTEXT'],
    ['a targeting key that is a number', { context: { targetingKey: 1 } }, 'INVALID_CONTEXT'],
  ])('refuses %s', async (_, body, errorCode) => {
    expect(await told(await ask(path, body))).toEqual([400, { ...named, errorCode, errorDetails: expect.any(String) }]);
  });

  test.each([2_000, 200_000])('refuses a context nested %d levels deeper, with the limit', async (levels) => {
    const deep = `{"context":{"targetingKey":"u1","a":${'['.repeat(levels)}${']'.repeat(levels)}}}`;
    const errorDetails = expect.stringContaining('nested up to 2000 levels');
    expect(await told(await ask(path, deep))).toEqual([400, { ...named, errorCode: 'PARSE_ERROR', errorDetails }]);
  });

  test('refuses a context of more than a user may take, with the limit', async () => {
    const errorDetails = expect.stringContaining('the limit is 32768');
    const large = { context: { ...context, text: 'x'.repeat(33_000) } };
    expect(await told(await ask(path, large))).toEqual([400, { ...named, errorCode: 'INVALID_CONTEXT', errorDetails }]);
    expect((await ask(path, { context: { ...context, text: 'x'.repeat(32_000) } })).status).toBe(200);
  });

  test('refuses a body over the limit of all bodies', async () => {
    const body = (bytes: number) => JSON.stringify({ context }).padEnd(bytes, ' ');
    const response = (bytes: number) => ask(path, body(bytes), { ...bearer(), 'content-length': String(bytes) });
    expect((await response(BODY_LIMIT_BYTES)).status).toBe(200);
    expect((await response(BODY_LIMIT_BYTES + 1)).status).toBe(413);
  });

  test('takes either key, as a bearer or by itself; a bearer counts where both are there', async () => {
    const { client, server } = service.secrets;
    for (const { value } of [client, server]) {
      for (const headers of [
        bearer(value),
        { authorization: `bearer  ${value}` },
        { 'x-api-key': value },
        { 'x-api-key': 'nonsense', ...bearer(value) },
        { authorization: 'Basic YTpi', 'x-api-key': value },
      ]) {
        expect([headers, (await ask(path, { context }, headers)).status]).toEqual([headers, 200]);
      }
    }
  });

  test('answers missing, invalid and revoked keys with 401, and names none of them', async () => {
    const { secrets, envId, store, effects } = service;
    const { value, record } = secrets.server;
    const unknown = formatSecret('6e1b2d4f-0000-4000-8000-000000000002', envId);
    await store.secrets.revoke(envId, record.id);
    effects.clock.now += SECRET_CACHE_MS;
    const refused = [{}, { authorization: secrets.client.value }, bearer('nonsense'), bearer(unknown), bearer(value)];
    for (const headers of [...refused, { 'x-api-key': unknown }, { 'x-api-key': '' }]) {
      const response = await ask(path, { context }, headers);
      expect(response.headers.get('www-authenticate')).toBe('Bearer');
      expect(await told(response)).toEqual([401, { errorDetails: expect.any(String) }]);
    }
    for (const secret of [value, unknown, secrets.client.value]) {
      for (const part of [secret, secret.slice(0, 22), hashSecret(secret)]) expect(output.text()).not.toContain(part);
    }
  });

  test('reads no body of a caller without a key', async () => {
    expect((await ask(path, '{', {})).status).toBe(401);
  });

  test('says 500, and when to come again, while the table is away', async () => {
    const down = async () => {
      throw new Error('the table is down');
    };
    http = aHttp({ intercept: down });
    const response = await ask(path);
    expect(response.headers.get('retry-after')).toBe('1');
    expect(await told(response)).toEqual([500, { errorDetails: 'the service cannot answer now; try again' }]);
    expect(output.lines()).toContainEqual(expect.objectContaining({ level: 'ERROR', message: 'request failed' }));
  });

  test.each(['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS', 'BREW'])(
    'has no method %s, whatever the key',
    async (method) => {
      for (const headers of [bearer(), { 'x-api-key': service.secrets.server.value }, bearer('nonsense'), {}]) {
        const response = await http.ask(path, { method, secret: null, headers });
        expect([headers, response.status, response.headers.get('allow')]).toEqual([headers, 405, 'POST']);
        const body = method === 'HEAD' ? '' : '{"errorDetails":"this path only supports POST"}';
        expect(await response.text()).toBe(body);
      }
    },
  );
});

describe('a context without a targeting key', () => {
  const byKey = { rules: [aRule([aCondition('keyId', 'Equal', 'u1')])] };

  test.each([{}, { targetingKey: '' }, { targetingKey: null, country: 'us' }])(
    '%j has the value of a flag',
    async (of) => {
      await put('f');
      const answer = { key: 'f', value: true, variant: 'on', reason: 'STATIC' };
      expect(await told(await ask(`${FLAGS}/f`, { context: of }))).toMatchObject([200, answer]);
      expect(await told(await ask(FLAGS, { context: of }))).toMatchObject([200, { flags: [answer] }]);
    },
  );

  test('is refused by the flags alone that need the key', async () => {
    await put('f');
    await put('by-key', byKey);
    const failure = { key: 'by-key', errorCode: 'TARGETING_KEY_MISSING', errorDetails: expect.any(String) };
    expect(await told(await ask(`${FLAGS}/by-key`, { context: {} }))).toEqual([400, failure]);
    const [status, { flags }] = await told(await ask(FLAGS, { context: {} }));
    expect([status, flags]).toEqual([200, expect.arrayContaining([failure, expect.objectContaining({ value: true })])]);
  });

  test('is in no segment by a list, but by a rule', async () => {
    const isUs = { id: 'r', name: 'r', conditions: [aCondition('country', 'Equal', 'us')] };
    await service.store.documents.writeSegment(service.envId, 's', () =>
      aSegment({ id: 's', included: ['', 'u1'], excluded: [''], rules: [isUs] }),
    );
    await put('f', { rules: [aRule([aCondition('User is in segment', null, '["s"]')])] });
    const servedTo = async (attributes: object) =>
      (await told(await ask(`${FLAGS}/f`, { context: attributes })))[1].value;
    expect([await servedTo({}), await servedTo({ country: 'us' })]).toEqual([true, false]);
  });

  test('is counted for flags that it evaluates', async () => {
    await put('f');
    await put('by-key', byKey);
    for (const key of ['f', 'by-key']) await ask(`${FLAGS}/${key}`, { context: {} });
    expect(http.counted).toEqual(['f on']);
  });

  test('gets 404 for a flag that does not exist', async () => {
    expect((await ask(`${FLAGS}/none`, { context: {} })).status).toBe(404);
  });
});

describe('a path that OFREP does not have', () => {
  test.each(['/ofrep/v1/configuration', `${FLAGS}/a/b`, '/ofrep/v1/event-stream', '/ofrep'])(
    'such as %s is 404 with a key, and 401 without',
    async (path) => {
      for (const method of ['GET', 'POST']) {
        for (const headers of [bearer(), { 'x-api-key': service.secrets.server.value }]) {
          expect((await http.ask(path, { method, secret: null, headers })).status).toBe(404);
        }
        expect((await http.ask(path, { method, secret: null })).status).toBe(401);
      }
    },
  );
});

test('an evaluation of one flag is counted with its variation, one of all is not', async () => {
  await put('f');
  await put('archived', { isArchived: true });
  for (const key of ['f', 'archived', 'none']) await ask(`${FLAGS}/${key}`);
  await ask(FLAGS);
  expect(http.counted).toEqual(['f on', 'archived ', 'none ']);
});
