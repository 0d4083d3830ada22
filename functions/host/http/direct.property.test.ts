import { afterAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { formatSecret } from '../../../shared/protocol/secret.ts';
import { systemEffects } from '../../../shared/runtime/effects.ts';
import { aCondition, aFlag, aRule } from '../../../shared/testing/builders.ts';
import { compileEnvironment } from '../../../shared/testing/evaluate.ts';
import { runs } from '../../../shared/testing/runs.ts';
import { BODY_LIMIT_BYTES } from '../../http/body.ts';
import { DEEP } from '../../http/testing/http.ts';
import { captureOutput } from '../../testing/output.ts';
import { SendBudget } from '../feeds/sendBudget.ts';
import { createBodyBudget } from './bodyBudget.ts';
import { budgetedBodies } from './budgetedBodies.ts';
import { createHostApp, onlyByNames } from './hostApp.ts';

const output = captureOutput();
afterAll(() => output.release());

const ENV = '7c1b2d4f-0000-4000-8000-000000000001';
const BROKEN_ENV = '7c1b2d4f-0000-4000-8000-000000000002';
const secretOf = (n: number, envId = ENV) => formatSecret(`6e1b2d4f-0000-4000-8000-00000000000${n}`, envId);
const [CLIENT, SERVER, BROKEN, UNKNOWN] = [secretOf(1), secretOf(2), secretOf(3, BROKEN_ENV), secretOf(4)];
const GRANTS = new Map([
  [CLIENT, { envId: ENV, type: 'client' as const }],
  [SERVER, { envId: ENV, type: 'server' as const }],
  [BROKEN, { envId: BROKEN_ENV, type: 'client' as const }],
]);

const flags = [
  aFlag({ key: 'f', rules: [aRule([aCondition('country', 'Equal', 'us')])] }),
  aFlag({ key: 'By.Key', rules: [aRule([aCondition('keyId', 'Equal', 'u1')])] }),
  aFlag({ key: 'archived', isArchived: true }),
  aFlag({ key: 'broken', variationType: 'json', variations: [{ id: 'on', name: 'On', value: '{' }] }),
];
const large = (length: number) =>
  aFlag({ key: 'large', variationType: 'string', variations: [{ id: 'on', name: 'On', value: 'x'.repeat(length) }] });
const snapshots = [flags, [...flags, large(10_000)], [...flags, large(100_000)]].map((all) => compileEnvironment(all));

/** Serves one request. @param isDirect false for an app without direct routes */
async function serve(isDirect: boolean, at: number, path: string, init: RequestInit) {
  const seen: unknown[] = [];
  const { now, monotonic } = systemEffects;
  const budget = new SendBudget(1024 * 1024, monotonic);
  const bodies = createBodyBudget(BODY_LIMIT_BYTES / 2, 10_000, monotonic);
  const snapshot = snapshots[at];
  if (!snapshot) throw new Error('there is no such snapshot');
  const deps: Parameters<typeof createHostApp>[0] = {
    secrets: { find: async (secret) => GRANTS.get(secret) },
    relays: { find: async () => undefined },
    snapshots: {
      read: async (envId) => {
        if (envId === BROKEN_ENV) throw new Error('the table is down');
        return { snapshot, version: { updatedAt: 1, writtenAt: 1 } } as never;
      },
    },
    insights: { write: async () => {} },
    usage: { count: async (envId, _, evaluations) => void seen.push([envId, ...evaluations]) },
    checkReadiness: async () => {},
    now,
    serveEventStream: (context) => context.text('events'),
    bodyGate: budgetedBodies(budget, (_, use) => use(true)),
    bodies,
  };
  const app = createHostApp(deps, { monotonic, onAnswered: (route, status) => void seen.push([route, status]) });
  output.clear();
  // The names are those of another app around it, which hono builds from its routes.
  const response = await (isDirect ? app : onlyByNames(app, ['localhost'])).request(path, init);
  const body = Buffer.from(await response.arrayBuffer()).toString('base64');
  const logged = output.lines().map((line) => [line.level, line.message, line['path'], line['reason']]);
  const left = [bodies.totalBytes, budget.totalBytes];
  return { status: response.status, headers: [...response.headers], body, seen, logged, left };
}

const FLAGS = '/ofrep/v1/evaluate/flags';
const DIRECT = [FLAGS, ...['f', 'By.Key', 'archived', 'broken', 'large', 'none'].map((key) => `${FLAGS}/${key}`)];
const OTHER = [
  ...['/', '//f', '/%66', '/%E0%A4%A', '/a%20b', '/f?x=1', '?x', '/f/g', '/.f', '/..'].map((rest) => FLAGS + rest),
  ...[`/${FLAGS}/f`, '/OFREP/v1/Evaluate/flags/By.Key', '/ofrep/v1/configuration', '/x'],
];
const user = fc.record(
  {
    targetingKey: fc.constantFrom<unknown>('u1', 'u2', '', ' ', null, 1),
    country: fc.constantFrom<unknown>('us', 'de', null, 1e21, ['us']),
    name: fc.string(),
  },
  { requiredKeys: [] },
);
const body = fc.oneof(
  { weight: 4, arbitrary: user.map((context) => JSON.stringify({ context })) },
  fc.constantFrom('', '{', '[]', '{}', 'null', '{"context":1}', DEEP, `{"context":{"a":${'['.repeat(3_000)}`),
  fc
    .constantFrom(15_000, 40_000, BODY_LIMIT_BYTES / 2 + 1, BODY_LIMIT_BYTES + 1)
    .map((length) => JSON.stringify({ context: { targetingKey: 'u1', text: 'x'.repeat(length) } })),
);
const key = fc.constantFrom<Record<string, string>>(
  ...[CLIENT, SERVER, BROKEN, UNKNOWN, 'nonsense'].flatMap((secret) => [
    { authorization: `Bearer ${secret}` },
    { 'x-api-key': secret },
  ]),
  { authorization: `bearer  ${CLIENT}`, 'x-api-key': 'nonsense' },
  { authorization: CLIENT },
  {},
);
const more = fc.record(
  {
    'accept-encoding': fc.constantFrom('gzip', 'br, gzip;q=0', '*', ''),
    'if-none-match': fc.constantFrom('*', '"other"', ''),
    'transfer-encoding': fc.constant('chunked'),
    origin: fc.constant('https://example.com'),
  },
  { requiredKeys: [] },
);
const request = fc.record({
  at: fc.nat(snapshots.length - 1),
  path: fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...DIRECT) }, fc.constantFrom(...OTHER)),
  method: fc.oneof({ weight: 6, arbitrary: fc.constant('POST') }, fc.constantFrom('GET', 'HEAD', 'PUT', 'OPTIONS')),
  body,
  headers: fc.tuple(key, more).map(([one, other]) => ({ ...one, ...other })),
  length: fc.constantFrom('given', '', 'x'),
});

/** Compares both ways to serve a request. @returns the response */
async function serveBoth(at: number, path: string, init: RequestInit) {
  const direct = await serve(true, at, path, init);
  expect(direct).toEqual(await serve(false, at, path, init));
  return direct;
}

test('a direct route answers any request as hono does', async () => {
  await fc.assert(
    fc.asyncProperty(request, async ({ at, path, method, body, headers, length }) => {
      const hasBody = method !== 'GET' && method !== 'HEAD';
      const announced = length === 'given' ? String(Buffer.byteLength(body)) : length;
      const sent = { ...headers, ...(hasBody && announced !== '' ? { 'content-length': announced } : {}) };
      const init = { method, headers: sent, ...(hasBody ? { body } : {}) };
      const { status, headers: received } = await serveBoth(at, path, init);
      const etag = new Map(received).get('etag');
      if (status === 200 && etag !== undefined) {
        const again = await serveBoth(at, path, { ...init, headers: { ...sent, 'if-none-match': etag } });
        expect([again.status, again.body]).toEqual([304, '']);
      }
    }),
    { numRuns: runs(300) },
  );
});
