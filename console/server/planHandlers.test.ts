import { describe, expect, test } from '@jest/globals';
import { tick } from '../../functions/testing/tick.ts';
import type { Document } from '../../shared/flags/document.ts';
import type { Alarm, ReadAlarms } from '../../shared/runtime/alarms.ts';
import { fireGuard } from '../../shared/store/plans/applyPlan.ts';
import { useTables } from '../../shared/store/testing/testStore.ts';
import { testEffects } from '../../shared/store/testing/testTables.ts';
import { aFlag, aRule, aSegment, share } from '../../shared/testing/builders.ts';
import { aConsole } from '../testing/console.ts';

useTables();

const HOUR = 3_600_000;

let count = 0;
async function aShop() {
  const effects = testEffects();
  /** The states of alarms. */
  const alarms: Record<string, Alarm['state']> = { errors: 'OK' };
  const readGuards: ReadAlarms = async (names) =>
    names.flatMap((each) => (alarms[each] ? [{ name: each, arn: each, state: alarms[each] }] : []));
  const console = aConsole({ effects, readGuards });
  const { environment } = await console.store.environments.create(`shop ${++count}`);
  const { id } = environment;
  const [stored] = await console.store.documents.writeFlag(id, 'f', () => aFlag({ key: 'f', isEnabled: false }));
  const version = stored?.updatedAt ?? 0;
  const at = (ms: number) => new Date(effects.now() + ms).toISOString();
  const schedule = (isEnabled: boolean, ms: number, more: object = {}) => {
    const document = { kind: 'flag', document: aFlag({ key: 'f', isEnabled }) };
    return console.call(`POST environments/${id}/plans`, { document, expectedVersion: version, at: at(ms), ...more });
  };
  const rollout = (...steps: [share: number, at: string][]) =>
    console.call(`POST environments/${id}/rollouts`, {
      flag: 'f',
      variationId: 'off',
      steps: steps.map(([share, time]) => ({ share, at: time })),
    });
  const operate = (plan: string, operation: string) =>
    console.call(`POST environments/${id}/plans/${plan}`, { operation });
  const plans = async (query = '') => (await console.call(`GET environments/${id}/plans${query}`)).json.plans;
  return { console, effects, alarms, id, schedule, rollout, operate, plans };
}

describe('a scheduled edit', () => {
  test('is stored as a plan, and written at its time', async () => {
    const { console, effects, id, schedule, plans } = await aShop();
    const { status, json } = await schedule(true, HOUR, { remark: 'launch' });
    expect(status).toBe(200);
    expect(json.plans).toMatchObject([
      {
        kind: 'flag',
        documentId: 'f',
        state: { kind: 'running' },
        by: 'ann@laptop',
        command: 'console: turned on flag f (launch)',
        steps: [{ at: effects.now() + HOUR, text: 'Switch: off → on', outcome: { kind: 'waiting' } }],
      },
    ]);
    expect(json.plans[0].steps[0]).not.toHaveProperty('fields');
    expect(await plans()).toHaveLength(1);
    effects.clock.now += HOUR;
    await tick(console.store);
    expect(await plans()).toEqual([]);
    expect(await plans('?kind=flag&id=f')).toMatchObject([{ state: { kind: 'done' } }]);
    expect(await plans('?kind=segment&id=f')).toEqual([]);
    expect((await console.call(`GET environments/${id}`)).json.documents[0].document.isEnabled).toBe(true);
  });

  test('is refused like an edit, and for a time in the past', async () => {
    const { console, id, schedule } = await aShop();
    const stale = await schedule(true, HOUR, { expectedVersion: 1 });
    expect([stale.status, stale.json.error.code]).toEqual([409, 'edit-conflict']);
    const past = await schedule(true, -HOUR);
    expect([past.status, past.json.error.message]).toEqual([400, expect.stringContaining('is in the past')]);
    const document = { kind: 'flag', document: { ...aFlag({ key: 'f' }), variations: [] } };
    const body = { document, expectedVersion: 1, at: '+1h' };
    expect((await console.call(`POST environments/${id}/plans`, body)).status).toBe(422);
    expect((await console.call(`POST environments/${id}/plans`, { ...body, at: 5 })).status).toBe(400);
  });

  test('makes no plan without a change, and a flag has one open plan', async () => {
    const { schedule } = await aShop();
    expect((await schedule(false, HOUR)).json).toEqual({ plans: [] });
    await schedule(true, HOUR);
    const second = await schedule(true, HOUR);
    expect([second.status, second.json.error.message]).toEqual([409, expect.stringContaining('has an open plan')]);
  });

  test('can be one of a segment', async () => {
    const { console, id, plans } = await aShop();
    const [stored] = await console.store.documents.writeSegment(id, 's', () => aSegment({ id: 's' }));
    const document = { kind: 'segment', document: aSegment({ id: 's', included: ['ann'] }) };
    const body = { document, expectedVersion: stored?.updatedAt, at: '+1d' };
    expect((await console.call(`POST environments/${id}/plans`, body)).status).toBe(200);
    expect(await plans('?kind=segment&id=s')).toMatchObject([{ documentId: 's' }]);
  });
});

describe('a gradual rollout', () => {
  test('is refused as a conflict if its steps are in the wrong order', async () => {
    const { rollout } = await aShop();
    const { status, json } = await rollout([0.1, '+2h'], [0.5, '+1h']);
    const message = expect.stringContaining('the steps must be in the order of their times');
    expect([status, json.error]).toEqual([409, { code: 'conflict', message }]);
  });

  test('names its variation by id, name or value, and refuses an unknown one', async () => {
    const { console, id } = await aShop();
    const rollout = (variationId: string) => {
      const steps = [{ share: 0.1, at: '+2h' }];
      return console.call(`POST environments/${id}/rollouts`, { flag: 'f', variationId, steps });
    };
    expect((await rollout('maybe')).json.error.message).toContain('flag "f" has no variation "maybe"');
    expect((await rollout('false')).json.plans).toHaveLength(1);
  });

  test('grows one rule by its id', async () => {
    const { console, id } = await aShop();
    const rules = [aRule([], { id: 'norway', name: 'Norway', variations: [share('on')] })];
    await console.store.documents.writeFlag(id, 'f', (flag) => ({ ...aFlag(flag), rules }));
    const steps = [{ share: 0.1, at: '+2h' }];
    const grow = (rule: string) =>
      console.call(`POST environments/${id}/rollouts`, { flag: 'f', rule, variationId: 'off', steps });
    expect((await grow('none')).json.error.message).toContain('flag "f" has no rule "none"');
    expect((await grow('norway')).json.plans[0].steps[0].text).toBe('Rule “Norway”: On 100 % → Off 10 %, On 90 %');
  });

  test('applies its first step at once, and is paused by an edit, resumed, and aborted', async () => {
    const { console, id, rollout, operate, plans } = await aShop();
    const { json } = await rollout([0.1, 'now'], [0.5, '+2h'], [1, '+1d']);
    const [{ id: plan, steps }] = json.plans;
    expect(steps.map(({ outcome }: { outcome: { kind: string } }) => outcome.kind)).toEqual([
      'applied',
      'waiting',
      'waiting',
    ]);
    expect((await operate(plan, 'resume')).json).toEqual({ plans: [] });
    await console.store.documents.writeFlag(id, 'f', (flag) => ({ ...aFlag(flag), name: 'renamed' }));
    expect(await plans()).toMatchObject([{ state: { kind: 'paused', reason: expect.stringContaining('changed') } }]);
    expect((await operate(plan, 'resume')).json.plans).toMatchObject([{ state: { kind: 'running' } }]);
    const skipped = (await operate(plan, 'skip')).json.plans[0];
    expect(skipped.steps[1].outcome).toMatchObject({ kind: 'skipped', by: 'ann@laptop' });
    expect((await operate(plan, 'abort')).json.plans).toMatchObject([{ state: { kind: 'aborted', by: 'ann@laptop' } }]);
    expect((await operate(plan, 'abort')).status).toBe(409);
  });

  test('is refused with the reason', async () => {
    const { rollout } = await aShop();
    for (const [steps, message] of [
      [[[0.1, 'soon']], '"soon" is not a time'],
      [
        [
          [0.5, '+2h'],
          [0.6, '+1h'],
        ],
        'must be in the order of their times',
      ],
      [
        [
          [0.5, '+1h'],
          [0.2, '+2h'],
        ],
        'is too small',
      ],
    ] as const) {
      const { status, json } = await rollout(...(steps as unknown as [number, string][]));
      expect([json.error.message, status >= 400 && status < 500]).toEqual([expect.stringContaining(message), true]);
    }
  });

  test('needs confirmation in production, also for its operations', async () => {
    const { console, id, rollout, operate } = await aShop();
    const [plan] = (await rollout([1, '+1h'])).json.plans;
    await console.store.environments.change({ id }, { isProduction: true });
    expect([(await operate(plan.id, 'abort')).status, (await rollout([1, '+1h'])).status]).toEqual([428, 428]);
  });
});

describe('guards', () => {
  test('are stored with a rollout, whose last step they watch', async () => {
    const { console, id } = await aShop();
    const rollout = {
      flag: 'f',
      variationId: 'off',
      steps: [{ share: 1, at: 'now' }],
      guards: ['errors'],
      watch: '2h',
    };
    const { json } = await console.call(`POST environments/${id}/rollouts`, rollout);
    expect(json.plans).toMatchObject([
      { guards: ['errors'], state: { kind: 'running' }, steps: [{ text: expect.any(String) }, { isWatch: true }] },
    ]);
  });

  test('are refused with the reason, and then no plan is stored', async () => {
    const { alarms, schedule, plans } = await aShop();
    alarms['burning'] = 'ALARM';
    for (const [guards, message] of [
      [['none'], 'there is no CloudWatch alarm "none"'],
      [['errors', 'burning'], 'guard "burning" is in ALARM'],
    ] as const) {
      const { status, json } = await schedule(true, HOUR, { guards });
      expect([status, json.error]).toEqual([409, { code: 'guard-refused', message: expect.stringContaining(message) }]);
    }
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) alarms[name] = 'OK';
    const { json } = await schedule(true, HOUR, { guards: ['a', 'b', 'c', 'd', 'e', 'f'] });
    expect(json.error).toEqual({ code: 'guard-refused', message: expect.stringContaining('at most 5 guards') });
    expect((await schedule(true, HOUR, { watch: '1h' })).json.error.code).toBe('guard-refused');
    expect((await schedule(true, HOUR, { guards: ['errors'], watch: 'soon' })).status).toBe(400);
    expect(await plans()).toEqual([]);
  });

  test('are shown if they fired, and the plan is not resumed while in ALARM', async () => {
    const { console, effects, alarms, id, schedule, operate, plans } = await aShop();
    const [{ id: plan }] = (await schedule(true, HOUR, { guards: ['errors'], watch: '1h' })).json.plans;
    effects.clock.now += HOUR;
    await tick(console.store);
    alarms['errors'] = 'ALARM';
    const { client, flags: name } = console.store.tables;
    await fireGuard({ client, name, effects }, id, plan, { kind: 'alarm', name: 'errors' });
    expect(await plans()).toMatchObject([
      {
        guards: ['errors'],
        state: { kind: 'paused', guard: 'errors', reason: expect.stringContaining('the applied steps were undone') },
        steps: [{ outcome: { kind: 'undone' } }, { outcome: { kind: 'waiting' }, isWatch: true }],
      },
    ]);
    const { status, json } = await operate(plan, 'resume');
    expect([status, json.error.message]).toEqual([409, 'guard "errors" is in ALARM; wait until it is OK']);
    alarms['errors'] = 'OK';
    expect((await operate(plan, 'resume')).json.plans).toMatchObject([{ state: { kind: 'running' } }]);
  });

  test('are shown if they are webhooks, and need no alarm to resume', async () => {
    const { console, effects, id, operate, plans } = await aShop();
    const now = effects.now();
    const change = (each: Document) => ({ ...each, document: { ...each.document, isEnabled: true } }) as Document;
    const [created] = await console.store.plans.create(id, now, () => [
      { kind: 'flag', documentId: 'f', type: 'changes', steps: [{ at: now + HOUR, change }], webhook: {} },
    ]);
    const plan = created?.id ?? '';
    const { client, flags: name } = console.store.tables;
    const request = { id: 'signature', expiresAt: now };
    await fireGuard({ client, name, effects }, id, plan, { kind: 'webhook', name: 'webhook: errors', request });
    expect(await plans()).toMatchObject([
      { guards: ['webhook'], state: { guard: 'webhook: errors', isWebhook: true } },
    ]);
    expect((await operate(plan, 'resume')).json.plans).toMatchObject([{ state: { kind: 'running' } }]);
  });
});

test('an environment or a plan that does not exist is not found', async () => {
  const { console, operate } = await aShop();
  expect((await console.call('GET environments/no-such/plans')).status).toBe(404);
  expect((await operate('p-1', 'skip')).status).toBe(404);
});
