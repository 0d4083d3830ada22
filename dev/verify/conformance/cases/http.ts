import { describe, expect, test } from '@jest/globals';
import { until } from '../../../../shared/testing/until.ts';
import type { GetTarget } from '../target.ts';
import { simpleFlag, Workspace } from '../workspace.ts';

const SERVER = '/api/public/sdk/server/latest-all';
const CLIENT = '/api/public/sdk/client/latest-all';
const EVALUATE = '/api/public/featureflag/evaluate';
const TRACK = '/api/public/insight/track';

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
    });

    test('insights are stored with their environment', async () => {
      const { serverKey, envId } = await Workspace.create(target(), []);
      const keyId = `seen-${envId}`;
      const variations = [{ featureFlagKey: 'f', variation: { id: '1', value: 'true' }, timestamp: '1700000000000' }];
      expect((await call(TRACK, 'POST', serverKey, [{ user: { keyId }, variations }])).status).toBe(200);
      expect((await call(TRACK, 'POST', serverKey, {})).status).toBe(400);
      const { insights } = target();
      if (!insights) return;
      const text = await until(insights, (lines) => lines.includes(keyId));
      const line = text.split('\n').find((each) => each.includes(keyId)) ?? '';
      expect(JSON.parse(line)).toMatchObject({ envId, user: { keyId }, variations: [{ featureFlagKey: 'f' }] });
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

    test('a body over a megabyte is refused with the limit', async () => {
      const { clientKey } = await Workspace.create(target(), []);
      const ofBytes = (bytes: number) => JSON.stringify({ user: { keyId: 'u1' } }).padEnd(bytes, ' ');
      expect((await call(EVALUATE, 'POST', clientKey, ofBytes(1024 * 1024))).status).toBe(200);
      const large = await call(EVALUATE, 'POST', clientKey, ofBytes(1024 * 1024 + 1));
      expect([large.status, (await large.json()) as unknown]).toEqual([
        413,
        { message: expect.stringContaining('limit of 1048576 bytes') },
      ]);
    });

    test('browsers may call from anywhere, with the headers of SDKs, and read the tag of an answer', async () => {
      const origin = 'https://app.example';
      const names = ['authorization', 'content-type', 'x-user-agent', 'if-none-match', 'x-api-key'];
      const asked = { 'access-control-request-method': 'POST', 'access-control-request-headers': names.join() };
      const preflight = await fetch(target().httpUrl + CLIENT, { method: 'OPTIONS', headers: { origin, ...asked } });
      expect(preflight.ok).toBe(true);
      expect(preflight.headers.get('access-control-allow-origin')).toBe('*');
      const allowed = preflight.headers.get('access-control-allow-headers')?.toLowerCase().split(/, ?/);
      expect(allowed).toEqual(expect.arrayContaining(names));
      expect(preflight.headers.get('access-control-allow-methods')).toContain('POST');
      const { serverKey } = await Workspace.create(target());
      const answer = await fetch(target().httpUrl + SERVER, { headers: { origin, authorization: serverKey } });
      expect(answer.headers.get('access-control-allow-origin')).toBe('*');
      expect(answer.headers.get('access-control-expose-headers')?.toLowerCase()).toContain('etag');
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
