import { beforeEach, describe, expect, test } from '@jest/globals';
import { tick } from '../../functions/testing/tick.ts';
import type { Document } from '../flags/document.ts';
import { withGrownShare } from '../flags/edits/growShare.ts';
import type { Flag } from '../flags/flag.ts';
import { type NewPlan, rolloutPlan } from '../plans/newPlan.ts';
import type { GuardState } from '../plans/planUpdate.ts';
import type { ReleasePlan } from '../plans/releasePlan.ts';
import { aFlag, aRule, share } from '../testing/builders.ts';
import { requireDocument } from './documents/item.ts';
import { fireGuard } from './plans/applyPlan.ts';
import { newEnvironment, store, useStore } from './testing/testStore.ts';
import { testEffects } from './testing/testTables.ts';

const effects = testEffects();
const HOUR = 3_600_000;

useStore(effects);

let envId: string;
let start: number;
let state: GuardState;

beforeEach(async () => {
  envId = await newEnvironment();
  start = effects.now();
  state = { kind: 'clear' };
  const fallthrough = { ...aFlag().fallthrough, variations: [share('off')] };
  await store.documents.import(envId, [{ kind: 'flag', document: aFlag({ key: 'f', fallthrough }) }]);
});

async function rollout(more: Partial<NewPlan>, ...shares: readonly [hours: number, share: number][]) {
  const steps = shares.map(([hours, part]) => ({
    at: start + hours * HOUR,
    change: ({ document }: Document) => ({
      kind: 'flag' as const,
      document: withGrownShare(document as Flag, 'on', part),
    }),
  }));
  const [plan] = await store.plans.create(envId, start, () => [
    { kind: 'flag', documentId: 'f', type: 'rollout', steps, guards: ['errors'], ...more },
  ]);
  if (!plan) throw new Error('nothing was planned');
  return plan;
}

const fire = ({ id }: ReleasePlan) =>
  fireGuard({ client: store.tables.client, name: store.tables.flags, effects }, envId, id, {
    kind: 'alarm',
    name: 'errors',
  });
const tickAt = async (hours: number) => {
  effects.clock.now = Math.max(effects.clock.now, start + hours * HOUR);
  expect(await tick(store, undefined, async () => state)).toEqual([]);
};
const present = async ({ id }: ReleasePlan) => (await store.plans.list(envId, 'all')).find((each) => each.id === id);
const outcomes = async (plan: ReleasePlan) => (await present(plan))?.steps.map(({ outcome }) => outcome.kind);
const flag = async () => {
  const stored = await store.documents.find(envId, 'flag', 'f');
  if (!stored) throw new Error('there is no flag');
  return requireDocument(stored).document as Flag;
};
const shares = async () => (await flag()).fallthrough.variations.map(({ id }) => id);
const edit = (fields: Partial<Flag>) =>
  store.documents.writeFlag(envId, 'f', (before) => ({ ...aFlag(), ...before, ...fields }));
const newest = async () => {
  for await (const entry of store.history.entries(envId)) return entry;
  return undefined;
};

describe('a guard in ALARM', () => {
  test('undoes only the shares of the rule that has grown', async () => {
    const rule = aRule([], { id: 'norway', name: 'Norway' });
    await edit({ rules: [rule] });
    const grow = (hours: number, part: number) => ({ at: start + hours * HOUR, share: part });
    const { steps } = rolloutPlan('f', 'on', [grow(1, 0.1), grow(2, 0.5), grow(3, 1)], 'norway');
    const plan = await rollout({ steps });
    await tickAt(1);
    const rules = [aRule([], { id: 'new', name: 'New' }), ...(await flag()).rules];
    await edit({ rules });
    await store.plans.resume(envId, plan.id);
    await tickAt(2);
    state = { kind: 'alarm', alarm: 'errors' };
    await fire(plan);
    expect((await flag()).rules).toEqual([rules[0], rule]);
    expect((await present(plan))?.state).toMatchObject({ reason: expect.stringContaining('steps were undone') });
  });

  test('undoes the applied steps as one change, and pauses the plan', async () => {
    const plan = await rollout({}, [1, 0.1], [2, 0.5], [3, 1]);
    await tickAt(1);
    await tickAt(2);
    expect(await shares()).toEqual(['on', 'off']);
    await Promise.all([fire(plan), fire(plan)]);
    expect(await shares()).toEqual(['off']);
    expect(await newest()).toMatchObject({ by: `guard errors of ${plan.id} of unknown` });
    expect(await present(plan)).toMatchObject({
      state: { kind: 'paused', guard: 'errors', reason: 'guard "errors" is in ALARM; the applied steps were undone' },
    });
    expect(await outcomes(plan)).toEqual(['undone', 'undone', 'waiting']);
    await tickAt(4);
    expect(await shares()).toEqual(['off']);

    await store.plans.resume(envId, plan.id);
    await tickAt(4);
    expect(await outcomes(plan)).toEqual(['undone', 'undone', 'applied']);
  });

  test('is read before each step', async () => {
    const plan = await rollout({}, [1, 0.1], [2, 0.5]);
    await tickAt(1);
    state = { kind: 'alarm', alarm: 'errors' };
    await tickAt(2);
    expect(await shares()).toEqual(['off']);
    expect(await outcomes(plan)).toEqual(['undone', 'waiting']);
  });

  test('pauses a plan without applied steps', async () => {
    const plan = await rollout({}, [1, 0.1]);
    const { version } = (await newest()) ?? {};
    await fire(plan);
    expect((await newest())?.version).toBe(version);
    expect((await present(plan))?.state).toMatchObject({
      reason: 'guard "errors" is in ALARM; there was no step to undo',
    });
    await store.plans.abort(envId, plan.id);
    await fire(plan);
    expect((await present(plan))?.state.kind).toBe('aborted');
  });

  test('undoes nothing after a manual edit, and says who edited', async () => {
    const plan = await rollout({}, [1, 0.1], [2, 0.5]);
    await tickAt(1);
    await edit({ description: 'edited' });
    await fire(plan);
    expect(await shares()).toEqual(['on', 'off']);
    expect((await present(plan))?.state).toMatchObject({
      guard: 'errors',
      reason: expect.stringMatching(
        /^guard "errors" is in ALARM; nothing was undone, because unknown changed the flag at /,
      ),
    });
  });

  test('does not undo what others changed before the plan was resumed', async () => {
    const plan = await rollout({ watchMs: HOUR }, [1, 0.1], [2, 0.5]);
    await tickAt(1);
    await edit({ fallthrough: { ...aFlag().fallthrough, variations: [share('on')] } });
    await tickAt(1);
    await store.plans.resume(envId, plan.id);
    await tickAt(2);
    expect(await shares()).toEqual(['on', 'off']);
    await fire(plan);
    expect(await shares()).toEqual(['on']);
  });
});

test('a late rollout is resumed at its next step, and later steps keep their distance', async () => {
  const plan = await rollout({ watchMs: HOUR }, [1, 0.1], [2, 0.5], [5, 1]);
  await tickAt(1);
  await fire(plan);
  await tickAt(10);
  const resumed = await store.plans.resume(envId, plan.id);
  expect(resumed?.steps.map(({ at }) => (at - start) / HOUR)).toEqual([1, 10, 13, 14]);
  await tickAt(10);
  expect((await flag()).fallthrough.variations).toMatchObject([{ id: 'on', rollout: [0.5, 1] }, { id: 'off' }]);
  await tickAt(13);
  expect(await shares()).toEqual(['on']);
  expect(await outcomes(plan)).toEqual(['undone', 'applied', 'applied', 'waiting']);
});

test('a guard that cannot be read pauses the plan at its next step', async () => {
  const plan = await rollout({}, [1, 0.1]);
  state = { kind: 'unknown', reason: 'guard "errors" does not exist' };
  await tickAt(1);
  expect((await present(plan))?.state).toMatchObject({ kind: 'paused', reason: 'guard "errors" does not exist' });
  expect(await shares()).toEqual(['off']);
});

describe('the watch of the last step', () => {
  test('ends the plan also after a manual edit, as no step is left to resume', async () => {
    const plan = await rollout({ watchMs: HOUR }, [1, 1]);
    await tickAt(1);
    await edit({ description: 'edited' });
    expect((await present(plan))?.state.kind).toBe('paused');
    await tickAt(2);
    expect((await present(plan))?.state.kind).toBe('done');
    expect(await shares()).toEqual(['on']);
  });

  test('keeps the plan open, also after a late tick', async () => {
    const plan = await rollout({ watchMs: HOUR }, [1, 0.1], [2, 1]);
    await tickAt(5);
    expect(await outcomes(plan)).toEqual(['skipped', 'applied', 'waiting']);
    await tickAt(5.9);
    expect((await present(plan))?.state.kind).toBe('running');
    await fire(plan);
    expect(await shares()).toEqual(['off']);
  });

  test('ends the plan', async () => {
    const plan = await rollout({ watchMs: HOUR }, [1, 1]);
    await tickAt(1);
    await tickAt(2);
    expect((await present(plan))?.state.kind).toBe('done');
  });
});

test('a plan has at most five guards, and watches only with guards', async () => {
  await expect(rollout({ guards: ['a', 'b', 'c', 'd', 'e', 'f'] }, [1, 1])).rejects.toThrow(
    'a plan has at most 5 guards, but this one has 6; use a composite alarm',
  );
  await expect(rollout({ guards: [], watchMs: HOUR }, [1, 1])).rejects.toThrow(
    'only a plan with guards or a webhook can watch',
  );
});
