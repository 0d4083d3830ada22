import { createHmac } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Document } from '../../shared/flags/document.ts';
import type { NewPlan } from '../../shared/plans/newPlan.ts';
import type { ReleasePlan } from '../../shared/plans/releasePlan.ts';
import { fireGuard } from '../../shared/store/plans/applyPlan.ts';
import { database, newEnvironment, store, useStore } from '../../shared/store/testing/testStore.ts';
import { type Intercept, testEffects } from '../../shared/store/testing/testTables.ts';
import { aFlag } from '../../shared/testing/builders.ts';
import { tick } from '../testing/tick.ts';
import { createWebhook } from './webhook.ts';

const effects = testEffects();
const HOUR = 3_600_000;

useStore(effects);

let envId: string;
let plan: ReleasePlan;
let calls: string[];
let secret: string;

beforeEach(async () => {
  envId = await newEnvironment();
  calls = [];
  await store.documents.import(envId, [{ kind: 'flag', document: aFlag({ key: 'f', name: 'before' }) }]);
  plan = await applied({ webhook: {} });
  secret = (await store.plans.webhookSecrets(envId))(plan.id);
});

/** A plan whose first step is applied. */
async function applied(more: Partial<NewPlan>): Promise<ReleasePlan> {
  const start = effects.now();
  const rename = (name: string) => (document: Document) =>
    ({ ...document, document: { ...document.document, name } }) as Document;
  const steps = [
    { at: start, change: rename('after') },
    { at: start + HOUR, change: rename('later') },
  ];
  const [created] = await store.plans.create(envId, start, () => [
    { kind: 'flag', documentId: 'f', type: 'changes', steps, ...more },
  ]);
  if (!created) throw new Error('nothing was planned');
  expect(await tick(store)).toEqual([]);
  return created;
}

const tableWith = (intercept: Intercept) => {
  const { client, flags } = database.open(effects, intercept).tables;
  return { client, name: flags, effects };
};
const counted = () =>
  tableWith(({ name }, send) => {
    calls.push(name);
    return send();
  });

interface Ask {
  readonly path?: string;
  readonly body?: string;
  readonly secondsAgo?: number;
  readonly by?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly table?: ReturnType<typeof tableWith>;
}

async function ask({
  path = `/guards/${envId}/${plan.id}`,
  body = '{"reason":"error rate 7 %"}',
  secondsAgo = 0,
  by = secret,
  headers = {},
  table = counted(),
}: Ask = {}) {
  const timestamp = String(Math.floor(effects.now() / 1_000) - secondsAgo);
  const hex = createHmac('sha256', by).update(`${timestamp}.${body}`).digest('hex');
  const signed = { 'x-flagwire-timestamp': timestamp, 'x-flagwire-signature': `sha256=${hex}` };
  const response = await createWebhook(table).request(path, {
    method: 'POST',
    headers: { ...signed, ...headers },
    body,
  });
  return { status: response.status, headers: response.headers, json: (await response.json()) as { reason?: string } };
}

/** The answer of an open plan that goes on. */
const IGNORED = {
  status: 409,
  json: { fired: false, state: 'running', message: expect.stringContaining('sign a new') },
};

const stateOf = async () => (await store.plans.list(envId, 'all')).find(({ id }) => id === plan.id)?.state;
const newest = async () => {
  for await (const entry of store.history.entries(envId)) return entry;
  return undefined;
};

describe('a signed request', () => {
  test('undoes the applied steps, and pauses the plan with its reason', async () => {
    const reason = 'guard "webhook: error rate 7 %" has fired; the applied steps were undone';
    expect(await ask()).toMatchObject({ status: 202, json: { fired: true, state: 'paused', reason } });
    expect(await stateOf()).toMatchObject({
      kind: 'paused',
      guard: 'webhook: error rate 7 %',
      isWebhook: true,
      reason,
    });
    expect(await newest()).toMatchObject({ by: `guard webhook: error rate 7 % of ${plan.id} of unknown` });
  });

  test('needs no reason, and shows control characters of a reason as text', async () => {
    expect((await ask({ body: '{}' })).json).toMatchObject({ reason: expect.stringContaining('guard "webhook" has') });
    await store.plans.resume(envId, plan.id);
    effects.clock.now += 1_000;
    const { json } = await ask({ body: JSON.stringify({ reason: 'a\n\u001b[2J' }) });
    expect(json.reason).toContain('guard "webhook: a\\u{a}\\u{1b}[2J" has fired');
  });

  test('changes nothing when it is repeated, also after the plan was resumed', async () => {
    await ask({ secondsAgo: 10 });
    const { version } = (await newest()) ?? {};
    expect(await ask({ secondsAgo: 10 })).toMatchObject({ status: 202, json: { fired: true } });
    await store.plans.resume(envId, plan.id);
    expect(await ask({ secondsAgo: 10 })).toMatchObject(IGNORED);
    expect((await newest())?.version).toBe(version);
    expect((await ask()).json).toMatchObject({ fired: true });
    await store.plans.resume(envId, plan.id);
    expect(await ask({ secondsAgo: 10 })).toMatchObject(IGNORED);
  });

  test('fires after another one whose sender has a clock ahead', async () => {
    expect((await ask({ secondsAgo: -290 })).json).toMatchObject({ fired: true });
    await store.plans.resume(envId, plan.id);
    expect(await ask()).toMatchObject({ status: 202, json: { fired: true, state: 'paused' } });
  });

  test('is remembered until its signature is too old, and at most 32 are', async () => {
    const used = async () => (await store.plans.list(envId)).find(({ id }) => id === plan.id)?.webhook?.used ?? [];
    for (let n = 0; n < 34; n++) {
      expect((await ask({ body: JSON.stringify({ reason: String(n) }) })).json).toMatchObject({ fired: true });
      await store.plans.resume(envId, plan.id);
    }
    expect(await used()).toHaveLength(32);
    effects.clock.now += 601_000;
    await ask();
    expect(await used()).toHaveLength(1);
  });

  test('changes nothing when it is repeated after a manual edit and a resume', async () => {
    await store.documents.writeFlag(envId, 'f', (flag) => ({ ...aFlag(), ...flag, name: 'edited' }));
    expect((await ask()).json).toMatchObject({ fired: true, reason: expect.stringContaining('nothing was undone') });
    await store.plans.resume(envId, plan.id);
    expect(await ask()).toMatchObject(IGNORED);
  });

  test('has no effect if the plan has ended, an alarm has paused it, or has no webhook', async () => {
    await fireGuard(counted(), envId, plan.id, { kind: 'alarm', name: 'errors' });
    expect(await ask()).toMatchObject({ status: 202, json: { fired: false, state: 'paused' } });
    await store.plans.abort(envId, plan.id);
    expect(await ask()).toMatchObject({ status: 202, json: { fired: false, state: 'aborted' } });
    plan = await applied({});
    const by = (await store.plans.webhookSecrets(envId))(plan.id);
    expect(await ask({ by })).toMatchObject(IGNORED);
  });

  test('is answered with 503 while the table refuses requests', async () => {
    const table = tableWith(() => Promise.reject(new Error('throttled')));
    const { status, headers } = await ask({ table });
    expect([status, headers.get('retry-after')]).toEqual([503, '1']);
    expect(await stateOf()).toMatchObject({ kind: 'running' });
  });
});

describe('a request', () => {
  test.each<[string, number, () => Ask, reads: number]>([
    ['with the secret of another plan', 401, () => ({ by: 'other' }), 1],
    ['for a plan that does not exist', 401, () => ({ path: `/guards/${envId}/p-none` }), 1],
    ['for an environment without webhooks', 401, () => ({ path: `/guards/${crypto.randomUUID()}/${plan.id}` }), 1],
    ['for something that is no environment', 401, () => ({ path: `/guards/${'x'.repeat(3_000)}/${plan.id}` }), 0],
    ['signed 301 seconds ago', 401, () => ({ secondsAgo: 301 }), 0],
    ['signed for the future', 401, () => ({ secondsAgo: -302 }), 0],
    ['without a time', 401, () => ({ headers: { 'x-flagwire-timestamp': '' } }), 0],
    ['with another time', 401, () => ({ headers: { 'x-flagwire-timestamp': String(effects.now() / 1_000 - 7) } }), 1],
    ['without a signature', 401, () => ({ headers: { 'x-flagwire-signature': '' } }), 0],
    ['with a short signature', 401, () => ({ headers: { 'x-flagwire-signature': 'sha256=00' } }), 0],
    ['whose body is not JSON', 400, () => ({ body: 'reason=errors' }), 0],
    ['whose body is not an object', 400, () => ({ body: '[]' }), 0],
    ['whose reason is not a text', 400, () => ({ body: '{"reason":7}' }), 0],
    ['whose reason is too long', 400, () => ({ body: JSON.stringify({ reason: 'x'.repeat(201) }) }), 0],
    ['whose body is too large', 400, () => ({ body: JSON.stringify({ other: 'x'.repeat(4_096) }) }), 0],
  ])('%s is answered with %d and changes nothing', async (_, status, request, reads) => {
    effects.clock.now = Math.ceil(effects.clock.now / 1_000) * 1_000;
    const refusal = await ask(request());
    expect(refusal).toMatchObject({ status, json: { message: expect.any(String) } });
    expect(calls).toEqual(Array.from({ length: reads }, () => 'GetItem'));
    expect(await stateOf()).toMatchObject({ kind: 'running' });
    if (status === 401) expect(refusal.json).toEqual((await ask({ by: 'wrong' })).json);
  });

  test.each([0, 300, -300])('signed %d seconds ago is accepted', async (secondsAgo) => {
    effects.clock.now = Math.ceil(effects.clock.now / 1_000) * 1_000;
    expect(await ask({ secondsAgo })).toMatchObject({ status: 202 });
  });

  test('is accepted with a body of 4 KB and a reason of 200 characters', async () => {
    const body = JSON.stringify({ reason: 'x'.repeat(200), other: '' });
    const padded = body.replace('""', JSON.stringify('y'.repeat(4_096 - body.length)));
    expect(Buffer.byteLength(padded)).toBe(4_096);
    expect(await ask({ body: padded })).toMatchObject({ status: 202, json: { fired: true } });
  });
});
