import { gunzipSync } from 'node:zlib';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { aFlag, aSegment } from '../../shared/testing/builders.ts';
import { service, useService } from '../testing/fixture.ts';
import { dataSync } from '../testing/service.ts';
import { type Ask, aHttp, CLIENT, DEEP, SERVER, type TestHttp } from './testing/http.ts';

useService();

let http: TestHttp;
beforeEach(() => {
  http = aHttp();
});

const user = { keyId: 'u1', name: 'u1', customizedProperties: [{ name: 'country', value: 'us' }] };
const put = async (key: string, description = '') => {
  const { store, envId } = service;
  const [written] = await store.documents.writeFlag(envId, key, () => aFlag({ key, description }));
  return written?.updatedAt as number;
};
const putSegment = (id: string) => service.store.documents.writeSegment(service.envId, id, () => aSegment({ id }));
const asServer = (query = '', ask: Ask = {}) =>
  http.ask(SERVER + query, { secret: service.secrets.server.value, ...ask });
const asClient = (body: unknown = user, query = '', headers: Ask['headers'] = {}) =>
  http.ask(CLIENT + query, { body, headers });
// biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came.
const dataOf = async (response: Promise<Response>): Promise<any> => ((await (await response).json()) as any).data;

describe('the latest of an environment', () => {
  test('is an empty full if the environment is empty', async () => {
    expect(await dataOf(asServer())).toEqual({ eventType: 'full', featureFlags: [], segments: [] });
    expect(await dataOf(asClient())).toEqual({ eventType: 'full', userKeyId: 'u1', featureFlags: [] });
  });

  test('holds every write that was acknowledged before, on a warm instance too', async () => {
    for (let n = 0; n < 5; n++) {
      await put('f', `text ${n}`);
      expect((await dataOf(asServer())).featureFlags).toMatchObject([{ description: `text ${n}` }]);
    }
  });

  test('is, by a cursor: nothing at all, the one item that is newer, or everything', async () => {
    const [first, second] = [await put('a'), await put('b')];
    const kinds = async (ask: (query: string) => Promise<Response>) =>
      Promise.all(
        [second, first, first - 1, -1, second + 1].map(async (timestamp) => {
          const text = await (await ask(`?timestamp=${timestamp}`)).text();
          if (text === '') return 'nothing';
          const { eventType, featureFlags } = JSON.parse(text).data;
          return `${eventType} ${featureFlags.length}`;
        }),
      );
    const expected = ['nothing', 'patch 1', 'full 2', 'full 2', 'full 2'];
    expect(await kinds((query) => asServer(query))).toEqual(expected);
    expect(await kinds((query) => asClient(user, query))).toEqual(expected);
  });

  test.each(['Timestamp', 'TIMESTAMP', 'timeStamp'])('may name its cursor %s', async (name) => {
    const cursor = await put('a');
    for (const response of [await asServer(`?x=1&${name}=${cursor}`), await asClient(user, `?${name}=${cursor}`)]) {
      expect([response.status, await response.text()]).toEqual([200, '']);
    }
  });

  test('has a segment that is newer for a server, and nothing for a client', async () => {
    const cursor = await put('a');
    await putSegment('s');
    expect(await dataOf(asServer(`?timestamp=${cursor}`))).toMatchObject({
      eventType: 'patch',
      featureFlags: [],
      segments: [{ id: 's' }],
    });
    const client = await asClient(user, `?timestamp=${cursor}`);
    expect([client.status, await client.text()]).toEqual([200, '']);
  });

  test('is JSON in UTF-8', async () => {
    await put('f', 'Grüße, 世界 \u2028');
    const response = await asServer();
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect((await dataOf(Promise.resolve(response))).featureFlags).toMatchObject([
      { description: 'Grüße, 世界 \u2028' },
    ]);
  });
});

describe('a timestamp', () => {
  test.each(['x', '', '1.5', '1e3', '0x10', ' 1', 'NaN', 'Infinity', '12345678901234567', '--1', '١'])(
    'is refused with what it must be if it is "%s"',
    async (text) => {
      for (const response of [
        await asServer(`?timestamp=${encodeURIComponent(text)}`),
        await asClient(user, `?timestamp=${encodeURIComponent(text)}`),
      ]) {
        expect([response.status, await response.json()]).toEqual([
          400,
          { message: 'timestamp must be a whole number of unix milliseconds' },
        ]);
      }
    },
  );
});

describe('a user', () => {
  test.each([
    ['no body', ''],
    ['no JSON', '{"keyId":'],
    ['binary', '\u0000\u0001\ufffd'],
    ['null', 'null'],
    ['a list', [user]],
    ['text', '"u1"'],
    ['a whole data-sync', dataSync(0, user)],
    ['no keyId', { name: 'u1' }],
    ['a keyId that is a number', { keyId: 1 }],
    ['a blank keyId', { keyId: ' \t' }],
    ['a keyId of its prototype only', '{"__proto__":{"keyId":"u1"}}'],
    ['a name that is an object', { keyId: 'u1', name: {} }],
    ['properties that are an object', { keyId: 'u1', customizedProperties: {} }],
    ['a property that is text', { keyId: 'u1', customizedProperties: ['x'] }],
    ['a value that is a list', { keyId: 'u1', customizedProperties: [{ name: 'a', value: [] }] }],
    ['a thousand levels', DEEP],
    ['a value a thousand levels deep', `{"keyId":"u1","customizedProperties":[{"name":"a","value":${DEEP}}]}`],
  ])('sent as %s is refused', async (_, body) => {
    const response = await asClient(body);
    expect([response.status, await response.text()]).toEqual([400, 'invalid end user']);
  });

  test.each([
    ['of 32,000 characters', { keyId: 'u1', name: 'n'.repeat(32_000) }],
    ['with fields nobody knows, a thousand levels deep', `{"keyId":"u1","more":${DEEP}}`],
    [
      'with keys of prototypes',
      '{"keyId":"u1","__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}',
    ],
    ['with attributes named as prototypes', { keyId: 'u1', customizedProperties: [{ name: '__proto__', value: 'x' }] }],
    ['in other letter case', { KEYID: 'u1' }],
  ])('%s is answered, and changes nothing for others', async (_, body) => {
    await put('f');
    expect(await dataOf(asClient(body))).toMatchObject({ userKeyId: 'u1', featureFlags: [{ id: 'f' }] });
    expect({}).not.toHaveProperty('polluted');
    expect(await dataOf(asClient({ keyId: 'u2' }))).toMatchObject({ userKeyId: 'u2', featureFlags: [{ id: 'f' }] });
  });
});

describe('a large answer', () => {
  const gzip = { 'accept-encoding': 'br, gzip;q=0.8' };

  test('is compressed for those who take that, and says so', async () => {
    await put('f', 'x'.repeat(100_000));
    const plain = await (await asServer()).text();
    const response = await asServer('', { headers: gzip });
    expect(response.headers.get('content-encoding')).toBe('gzip');
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    const compressed = Buffer.from(await response.arrayBuffer());
    expect(compressed.length).toBeLessThan(plain.length / 10);
    expect(gunzipSync(compressed).toString()).toBe(plain);
  });

  test('tells caches that it depends on the encoding if it is large', async () => {
    await put('f', 'x'.repeat(100_000));
    const varyFor = async (headers: Ask['headers'] = {}, query = '') =>
      (await asServer(query, { headers })).headers.get('vary');
    expect([await varyFor(gzip), await varyFor()]).toEqual(['Accept-Encoding', 'Accept-Encoding']);
    expect(await varyFor(gzip, '?timestamp=1')).toBe('Accept-Encoding');
    await put('f', '');
    expect(await varyFor(gzip)).toBeNull();
  });

  test.each([
    ['one who takes other codings only', 100_000, { 'accept-encoding': 'br, x-gzipped' }],
    ['one who takes anything but gzip', 100_000, { 'accept-encoding': 'gzip;q=0, *' }],
    ['one who refuses gzip by thousandths', 100_000, { 'accept-encoding': 'br, GZIP ; q=0.000' }],
    ['one who prefers it plain', 100_000, { 'accept-encoding': 'gzip;q=0.5, identity;q=0.8' }],
    ['one who names none', 100_000, {}],
    ['anybody while it is small', 100, gzip],
  ])('is not compressed for %s', async (_, length, headers) => {
    await put('f', 'x'.repeat(length));
    const response = await asServer('', { headers });
    expect(response.headers.get('content-encoding')).toBeNull();
    expect((await dataOf(Promise.resolve(response))).featureFlags).toHaveLength(1);
  });
});
