import { describe, expect, test } from '@jest/globals';
import { manifestSchema } from '../../../../shared/testing/manifestSchema.ts';
import { until } from '../../../../shared/testing/until.ts';
import type { GetTarget } from '../target.ts';
import { flagDocuments, simpleFlag, Workspace } from '../workspace.ts';

const SERVER = '/api/public/sdk/server/latest-all';
const CLIENT = '/api/public/sdk/client/latest-all';
const EVALUATE = '/api/public/featureflag/evaluate';
const TRACK = '/api/public/insight/track';
const MANIFEST = '/openfeature/v0/manifest';

/** FeatBit's HTTP endpoints: authorization, answers, and CORS. */
export function httpCases(target: GetTarget): void {
  describe('HTTP', () => {
    const call = (path: string, method: string, secret?: string, body?: unknown) =>
      fetch(target().httpUrl + path, {
        method,
        headers: { ...(secret === undefined ? {} : { authorization: secret }), 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });

    test('who may call what', async () => {
      const workspace = await Workspace.create(target());
      const { clientKey, serverKey } = workspace;
      const unknown = `${'A'.repeat(22)}${serverKey.slice(22)}`;
      const body = {
        [SERVER]: undefined,
        [CLIENT]: { keyId: 'u1' },
        [EVALUATE]: { user: { keyId: 'u1' } },
        [TRACK]: [],
      };
      for (const [path, payload] of Object.entries(body)) {
        const status = async (secret?: string) => (await call(path, payload ? 'POST' : 'GET', secret, payload)).status;
        expect([path, await status()]).toEqual([path, 401]);
        expect([path, await status('nonsense')]).toEqual([path, 401]);
        expect([path, await status(unknown)]).toEqual([path, 403]);
        expect([path, await status(serverKey)]).toEqual([path, 200]);
        expect([path, await status(clientKey)]).toEqual([path, path === SERVER ? 403 : 200]);
      }
      expect((await call('/nothing/here', 'GET')).status).toBe(401);
      expect((await call('/nothing/here', 'GET', serverKey)).status).toBe(404);
    });

    test('a method that a path does not have is refused with those that it has, once the key is known', async () => {
      const { serverKey } = await Workspace.create(target(), []);
      for (const [path, method, allow] of [
        [SERVER, 'POST', 'GET, HEAD'],
        [CLIENT, 'GET', 'POST'],
        [EVALUATE, 'PUT', 'POST'],
        [TRACK, 'DELETE', 'POST'],
      ] as const) {
        expect([path, (await call(path, method)).status]).toEqual([path, 401]);
        const { status, headers } = await call(path, method, serverKey);
        expect([path, status, headers.get('allow')]).toEqual([path, 405, allow]);
      }
      const health = await call('/health/liveness', 'POST');
      expect([health.status, health.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    });

    test('polling gives what streaming does, and nothing when there is nothing newer', async () => {
      const workspace = await Workspace.create(target());
      const full = await jsonOf(call(SERVER, 'GET', workspace.serverKey));
      expect([full.messageType, full.data.eventType, full.data.featureFlags.length, full.data.segments.length]).toEqual(
        ['data-sync', 'full', 5, 2],
      );
      const nothing = await call(`${SERVER}?timestamp=1674885485421`, 'GET', workspace.serverKey);
      expect([nothing.status, await nothing.text()]).toEqual([200, '']);

      const client = await jsonOf(call(CLIENT, 'POST', workspace.clientKey, { keyId: 'u1' }));
      expect([client.data.userKeyId, client.data.featureFlags.length]).toEqual(['u1', 5]);
      const none = await call(`${CLIENT}?timestamp=1674885485421`, 'POST', workspace.clientKey, { keyId: 'u1' });
      expect([none.status, await none.text()]).toEqual([200, '']);
      const blank = await call(CLIENT, 'POST', workspace.clientKey, { keyId: '' });
      expect([blank.status, await blank.text()]).toEqual([400, 'invalid end user']);
      expect((await call(CLIENT, 'POST', workspace.clientKey, '{"keyId":')).status).toBe(400);
      expect((await call(`${SERVER}?timestamp=x`, 'GET', workspace.serverKey)).status).toBe(400);
    });

    test('evaluate answers for a user, filtered by keys, tags and age', async () => {
      const flags = flagDocuments(
        simpleFlag('a', { tags: ['x', 'y'] }),
        simpleFlag('b', { tags: ['x'] }),
        simpleFlag('c', { isArchived: true }),
      );
      const workspace = await Workspace.create(target(), flags);
      const keys = async (filter?: object) => {
        const flags = await jsonOf(call(EVALUATE, 'POST', workspace.clientKey, { user: { keyId: 'u1' }, filter }));
        return flags.map(({ key }: { key: string }) => key);
      };
      expect(await keys()).toEqual(['a', 'b', 'c']);
      expect(await keys({ keys: ['b'] })).toEqual(['b']);
      expect(await keys({ tags: ['x', 'y'], tagFilterMode: 'and' })).toEqual(['a']);
      expect(await keys({ tags: ['x', 'y'], tagFilterMode: '' })).toEqual(['a']);
      expect(await keys({ tags: ['x', 'y'], tagFilterMode: 'or' })).toEqual(['a', 'b']);
      const [first] = await jsonOf(call(EVALUATE, 'POST', workspace.clientKey, { user: { keyId: 'u1' } }));
      expect(first).toEqual({
        key: 'a',
        variation: { id: 'a-true', type: 'boolean', value: 'true', matchReason: 'default', sendToExperiment: true },
      });
      expect(await (await call(EVALUATE, 'POST', workspace.clientKey, {})).text()).toBe('A valid user is required.');
    });

    test('insights are stored; what is not valid is dropped, what is no array refused', async () => {
      const workspace = await Workspace.create(target(), []);
      const keyId = `seen-${workspace.envId}`;
      const variations = [
        { featureFlagKey: 'f', variation: { id: '1', value: 'true' }, timestamp: '1700000000000' },
        { featureFlagKey: 'g', variation: null },
      ];
      const metrics = [{ eventName: 'paid', numericValue: '2.5' }, { eventName: 'came' }];
      const track = (body: unknown) => call(TRACK, 'POST', workspace.serverKey, body);
      expect((await track([{ user: { keyId }, variations, metrics }, { user: { keyId: '' } }, 5])).status).toBe(200);
      expect((await track('no json')).status).toBe(400);
      expect((await track({})).status).toBe(400);
      const insights = target().insights;
      if (!insights) return;
      const line = (await until(insights, (text) => text.includes(keyId)))
        .split('\n')
        .find((text) => text.includes(keyId));
      expect(JSON.parse(line ?? '')).toMatchObject({
        envId: workspace.envId,
        user: { keyId },
        variations: [{ featureFlagKey: 'f', timestamp: 1_700_000_000_000 }],
        metrics: [
          { eventName: 'paid', numericValue: 2.5 },
          { eventName: 'came', numericValue: 0 },
        ],
      });
    });

    test('paths and names in the query may be in any letter case, and paths end in a slash', async () => {
      const { serverKey } = await Workspace.create(target());
      for (const path of [SERVER.toUpperCase(), `${SERVER}/`, '/Api/Public/Sdk/Server/Latest-All/']) {
        const full = await jsonOf(call(path, 'GET', serverKey));
        expect([path, full.data.eventType]).toEqual([path, 'full']);
      }
      const nothing = await call(`${SERVER}?TimeStamp=1674885485421`, 'GET', serverKey);
      expect([nothing.status, await nothing.text()]).toEqual([200, '']);
    });

    test('a large answer is compressed for those alone who take that, and says what it depends on', async () => {
      const document = simpleFlag('large', { description: 'x'.repeat(100_000) });
      const { serverKey } = await Workspace.create(target(), [{ kind: 'flag', document }]);
      for (const [accepted, coding] of [
        ['gzip, deflate', 'gzip'],
        ['gzip;q=0, *', null],
        ['identity', null],
      ] as const) {
        const headers = { authorization: serverKey, 'accept-encoding': accepted };
        const answer = await fetch(target().httpUrl + SERVER, { headers });
        expect([accepted, answer.headers.get('content-encoding')]).toEqual([accepted, coding]);
        expect(answer.headers.get('vary')?.toLowerCase()).toContain('accept-encoding');
        expect(((await answer.json()) as { data: { featureFlags: unknown[] } }).data.featureFlags).toHaveLength(1);
      }
    });

    test('a body over a megabyte is refused with the limit, and so is a filter of more than 10,000 keys', async () => {
      const { clientKey } = await Workspace.create(target(), []);
      const ofBytes = (bytes: number) => JSON.stringify({ user: { keyId: 'u1' } }).padEnd(bytes, ' ');
      expect((await call(EVALUATE, 'POST', clientKey, ofBytes(1024 * 1024))).status).toBe(200);
      const large = await call(EVALUATE, 'POST', clientKey, ofBytes(1024 * 1024 + 1));
      expect([large.status, (await large.json()) as unknown]).toEqual([
        413,
        { message: expect.stringContaining('limit of 1048576 bytes') },
      ]);
      const keys = Array.from({ length: 10_001 }, (_, n) => `k${n}`);
      const filtered = await call(EVALUATE, 'POST', clientKey, { user: { keyId: 'u1' }, filter: { keys } });
      expect([filtered.status, await filtered.text()]).toEqual([400, expect.stringContaining('at most 10000 keys')]);
    });

    test('the manifest for the OpenFeature CLI needs a server key, and cannot be changed', async () => {
      const flags = flagDocuments(
        simpleFlag('b', { description: 'The second' }),
        simpleFlag('a'),
        simpleFlag('c', { isArchived: true }),
      );
      const { serverKey, clientKey } = await Workspace.create(target(), flags);
      const ask = (key: string, tag = '') =>
        fetch(target().httpUrl + MANIFEST, { headers: { authorization: `Bearer ${key}`, 'if-none-match': tag } });
      const answer = await ask(serverKey);
      expect([answer.status, answer.headers.get('x-manifest-capabilities')]).toEqual([200, 'read']);
      const manifest = manifestSchema.parse(await answer.json());
      expect(manifest.flags).toMatchObject([
        { key: 'a', type: 'boolean', defaultValue: false },
        { key: 'b', type: 'boolean', defaultValue: false, description: 'The second' },
      ]);
      expect((await ask(serverKey, answer.headers.get('etag') ?? '')).status).toBe(304);
      expect((await call(MANIFEST, 'GET', serverKey)).status).toBe(200);
      const refused = await ask(clientKey);
      expect([refused.status, await refused.json()]).toEqual([
        403,
        { error: { message: expect.stringContaining('needs a server key'), status: 403 } },
      ]);
      expect((await ask('nonsense')).status).toBe(401);
      for (const [path, method] of [
        [`${MANIFEST}/flags`, 'POST'],
        [`${MANIFEST}/flags/a`, 'PUT'],
        [`${MANIFEST}/flags/a`, 'DELETE'],
      ] as const) {
        const { status, error } = await call(path, method, serverKey, {}).then(async (response) => ({
          status: response.status,
          ...((await response.json()) as { error: { message: string } }),
        }));
        expect([path, status, error.message]).toEqual([path, 405, expect.stringContaining('read-only')]);
      }
    });

    test('browsers may call from anywhere: the preflight names Authorization, answers carry the header', async () => {
      const headers = {
        origin: 'https://app.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,content-type,x-user-agent',
      };
      const preflight = await fetch(target().httpUrl + CLIENT, { method: 'OPTIONS', headers });
      expect(preflight.ok).toBe(true);
      expect(preflight.headers.get('access-control-allow-origin')).toBe('*');
      expect(preflight.headers.get('access-control-allow-headers')?.toLowerCase()).toContain('authorization');
      expect(preflight.headers.get('access-control-allow-methods')).toContain('POST');
      const workspace = await Workspace.create(target());
      const answer = await fetch(target().httpUrl + SERVER, {
        headers: { origin: 'https://app.example', authorization: workspace.serverKey },
      });
      expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    });

    test('health', async () => {
      expect(await (await fetch(`${target().httpUrl}/health/liveness`)).text()).toBe('Healthy');
      expect((await fetch(`${target().httpUrl}/health/readiness`)).status).toBe(200);
    });
  });
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came.
async function jsonOf(response: Promise<Response>): Promise<any> {
  return (await response).json();
}
