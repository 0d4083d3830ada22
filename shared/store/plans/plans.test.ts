import { setImmediate } from 'node:timers/promises';
import { PutItemCommand, paginateScan } from '@aws-sdk/client-dynamodb';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { tick } from '../../../functions/testing/tick.ts';
import { asDeleted } from '../../flags/deletion.ts';
import type { Document } from '../../flags/document.ts';
import { withGrownShare } from '../../flags/edits/growShare.ts';
import type { Flag } from '../../flags/flag.ts';
import { IN_SEGMENT } from '../../flags/rule.ts';
import { type NewPlan, rolloutPlan } from '../../plans/newPlan.ts';
import type { ReleasePlan } from '../../plans/releasePlan.ts';
import { aCondition, aFlag, aRule, aSegment, share } from '../../testing/builders.ts';
import { requireDocument } from '../documents/item.ts';
import { openStore } from '../store.ts';
import { keys } from '../table/keys.ts';
import { database, newEnvironment, store, useStore } from '../testing/testStore.ts';
import { testEffects } from '../testing/testTables.ts';
import { OPEN_PLANS_LIMIT } from './planChecks.ts';

const effects = testEffects();
const HOUR = 3_600_000;

useStore(effects);

let envId: string;
let start: number;

beforeEach(async () => {
  envId = await newEnvironment();
  start = effects.now();
  await store.documents.import(envId, [
    {
      kind: 'flag',
      document: aFlag({
        key: 'f',
        isEnabled: false,
        fallthrough: { ...aFlag().fallthrough, variations: [share('off')] },
      }),
    },
    { kind: 'flag', document: aFlag({ key: 'g' }) },
    { kind: 'segment', document: aSegment({ id: 's', name: 'S' }) },
  ]);
});

/** A store by another operator. */
const as = (by: string) => openStore(store.tables, effects, async () => ({ by, command: `command of ${by}` }));

const edit = (change: (flag: Flag) => Flag) => (document: Document) =>
  ({ ...document, document: change(document.document as Flag) }) as Document;
const set = (fields: Partial<Flag>) => edit((flag) => ({ ...flag, ...fields }));
const plan = (steps: NewPlan['steps'], more: Partial<NewPlan> = {}): NewPlan => ({
  kind: 'flag',
  documentId: 'f',
  type: 'changes',
  steps,
  ...more,
});
const rollout = (...shares: readonly [hours: number, share: number][]): NewPlan =>
  plan(
    shares.map(([hours, share]) => ({
      at: start + hours * HOUR,
      change: edit((flag) => withGrownShare(flag, 'on', share)),
    })),
    { type: 'rollout' },
  );
const create = async (...plans: readonly NewPlan[]): Promise<ReleasePlan> => {
  const [created] = await as('alice').plans.create(envId, start, () => plans);
  if (!created) throw new Error('nothing was planned');
  return created;
};
const flag = async (key = 'f') => {
  const stored = await store.documents.find(envId, 'flag', key);
  if (!stored) throw new Error(`there is no flag ${key}`);
  return requireDocument(stored).document as Flag;
};
const tickAt = async (hours: number) => {
  effects.clock.now = Math.max(effects.clock.now, start + hours * HOUR);
  expect(await tick(store)).toEqual([]);
};
const present = async ({ id }: ReleasePlan) => (await store.plans.list(envId, 'all')).find((each) => each.id === id);
const outcomes = async (of: ReleasePlan) => (await present(of))?.steps.map(({ outcome }) => outcome.kind);
const manual = (fields: Partial<Flag>, by = 'bob') =>
  as(by).documents.writeFlag(envId, 'f', (before) => ({ ...aFlag(), ...before, ...fields }));
const entries = async () => {
  const found = [];
  for await (const entry of store.history.entries(envId)) found.push(entry);
  return found;
};
async function itemsUnder(pk: string): Promise<string[]> {
  const found: string[] = [];
  const pages = paginateScan({ client: store.tables.client }, { TableName: store.tables.flags, ConsistentRead: true });
  for await (const { Items = [] } of pages) {
    found.push(
      ...Items.flatMap((item) =>
        item['pk']?.S === pk && JSON.stringify(item).includes(envId) ? [item['sk']?.S ?? ''] : [],
      ),
    );
  }
  return found;
}

describe('a plan', () => {
  test('applies each step at the first tick after its time, with the plan as author', async () => {
    const created = await create(
      plan([
        { at: start + HOUR, change: set({ isEnabled: true }) },
        { at: start + 2 * HOUR, change: set({ name: 'renamed', isArchived: true }) },
      ]),
    );
    await tickAt(0.9);
    expect(await flag()).toMatchObject({ isEnabled: false });
    await tickAt(1);
    expect(await flag()).toMatchObject({ isEnabled: true, isArchived: false });
    expect((await entries())[0]).toMatchObject({
      by: `plan ${created.id} of alice`,
      command: 'step 1 of 2: command of alice',
      documents: [{ id: 'f' }],
    });
    await tickAt(3);
    expect(await flag()).toMatchObject({ isEnabled: true, name: 'renamed', isArchived: true });
    expect(await present(created)).toMatchObject({
      by: 'alice',
      state: { kind: 'done' },
      steps: [
        { text: 'Switch: off → on', outcome: { kind: 'applied', at: start + HOUR } },
        { text: expect.stringContaining('renamed'), outcome: { kind: 'applied' } },
      ],
    });
    expect(await store.plans.list(envId)).toEqual([]);
    expect(await itemsUnder('DUE')).toEqual([]);
  });

  test('sets only its own fields', async () => {
    await create(plan([{ at: start + HOUR, change: set({ tags: ['new'] }) }], { documentId: 'g' }));
    const [stored] = await store.plans.list(envId);
    expect(stored?.steps[0]?.fields).toEqual({ tags: ['new'] });
  });

  test('applies all changes at a late tick in order, and only the newest rollout step', async () => {
    const changes = await create(
      plan(
        [
          { at: start + HOUR, change: set({ isEnabled: false }) },
          { at: start + 2 * HOUR, change: set({ name: 'later' }) },
        ],
        { documentId: 'g' },
      ),
    );
    const growing = await create(rollout([1, 0.1], [2, 0.5], [9, 1]));
    await tickAt(3);
    expect(await outcomes(changes)).toEqual(['applied', 'applied']);
    expect(await flag('g')).toMatchObject({ isEnabled: false, name: 'later' });
    expect(await outcomes(growing)).toEqual(['skipped', 'applied', 'waiting']);
    expect((await flag()).fallthrough.variations).toMatchObject([{ id: 'on', rollout: [0.5, 1] }, { id: 'off' }]);
    await tickAt(9);
    expect((await flag()).fallthrough.variations).toEqual([share('on')]);
  });

  test('moves on after a step that changes nothing', async () => {
    const created = await create(
      plan([
        { at: start + HOUR, change: set({ isEnabled: false }) },
        { at: start + 2 * HOUR, change: set({ isEnabled: true }) },
      ]),
    );
    const before = await store.documents.version(envId);
    await tickAt(1);
    expect(await outcomes(created)).toEqual(['applied', 'waiting']);
    expect(await store.documents.version(envId)).toEqual(before);
    await tickAt(2);
    expect(await flag()).toMatchObject({ isEnabled: true });
  });

  test('gives flags new versions if it changes their segment', async () => {
    await store.documents.writeFlag(envId, 'g', (before) => ({
      ...aFlag(),
      ...before,
      rules: [aRule([aCondition(IN_SEGMENT, '', '["s"]')])],
    }));
    const change = (document: Document) =>
      ({ ...document, document: { ...document.document, included: ['ann'] } }) as Document;
    await create(plan([{ at: start + HOUR, change }], { kind: 'segment', documentId: 's' }));
    await tickAt(1);
    const [segment, follower] = await Promise.all([
      store.documents.find(envId, 'segment', 's'),
      store.documents.find(envId, 'flag', 'g'),
    ]);
    expect(follower?.updatedAt).toBeGreaterThan(segment?.updatedAt ?? Number.NaN);
  });
});

describe('a manual edit', () => {
  test('pauses the plan and names the editor, before and after a tick, until a resume', async () => {
    const created = await create(rollout([1, 0.1], [2, 0.5], [3, 1]));
    await tickAt(1);
    const [written] = await manual({ description: 'edited' });
    const reason = `bob changed the flag at ${new Date(written?.updatedAt ?? 0).toISOString()}`;
    expect((await present(created))?.state).toMatchObject({ kind: 'paused', reason });
    await tickAt(2);
    expect((await present(created))?.state).toMatchObject({ kind: 'paused', reason });
    expect(await itemsUnder('DUE')).toEqual([]);
    await manual({ description: 'again' }, 'eve');
    await tickAt(2.5);
    expect((await flag()).fallthrough.variations[0]).toMatchObject({ id: 'on', rollout: [0.9, 1] });

    expect((await store.plans.resume(envId, created.id))?.state).toEqual({ kind: 'running' });
    expect(await store.plans.resume(envId, created.id)).toBeUndefined();
    await tickAt(2.6);
    expect(await flag()).toMatchObject({
      description: 'again',
      fallthrough: { variations: [{ rollout: [0.5, 1] }, {}] },
    });
  });

  test('pauses also by an undo of a step, but not by a new version with a segment', async () => {
    await store.documents.writeFlag(envId, 'f', (before) => ({
      ...aFlag(),
      ...before,
      rules: [aRule([aCondition(IN_SEGMENT, '', '["s"]')])],
    }));
    const created = await create(rollout([1, 0.1], [2, 0.5], [3, 1]));
    await tickAt(1);
    await store.documents.writeSegment(envId, 's', (before) => ({ ...aSegment(), ...before, included: ['ann'] }));
    await tickAt(2);
    expect(await outcomes(created)).toEqual(['applied', 'applied', 'waiting']);
    const [step] = await entries();
    await as('bob').history.undo(envId, step?.version ?? 0);
    expect((await present(created))?.state).toMatchObject({
      kind: 'paused',
      reason: expect.stringMatching(/^bob changed/),
    });
  });

  test('is found in the history with few reads, also after many other changes', async () => {
    await create(plan([{ at: start + HOUR, change: set({ isEnabled: true }) }]));
    const [written] = await manual({ description: 'edited', rules: [aRule([aCondition(IN_SEGMENT, '', '["s"]')])] });
    const reason = `bob changed the flag at ${new Date(written?.updatedAt ?? 0).toISOString()}`;
    const read = async () => {
      let queries = 0;
      const watched = database.open(effects, ({ name }, send) => {
        if (name === 'Query') queries++;
        return send();
      });
      expect(await watched.plans.list(envId)).toMatchObject([
        { state: { kind: 'paused', at: written?.updatedAt, reason } },
      ]);
      return queries;
    };
    const { client, flags: TableName } = store.tables;
    for (let n = 0; n < 120; n++) {
      await client.send(new PutItemCommand({ TableName, Item: keys.history(envId, effects.now() + HOUR + n) }));
    }
    expect(await read()).toBe(2);
    // The newest version of the flag is then not the edit.
    await store.documents.writeSegment(envId, 's', (before) => ({ ...aSegment(), ...before, included: ['ann'] }));
    expect(await read()).toBeLessThanOrEqual(6);
  });

  test('cannot be taken over by resume if it has more data than a plan holds', async () => {
    const created = await create(plan([{ at: start + HOUR, change: set({ description: 'later' }) }]));
    await manual({ description: 'x'.repeat(400_000) });
    await expect(store.plans.resume(envId, created.id)).rejects.toThrow(
      /^the plan would have \d+ bytes with the manual changes, more than the limit of 393216; abort it/,
    );
    expect((await present(created))?.state).toMatchObject({ kind: 'paused' });
    expect((await store.plans.abort(envId, created.id))?.state.kind).toBe('aborted');
  });

  test('pauses the plan with the reason if it removes what a step needs', async () => {
    const rules = [aRule([aCondition(IN_SEGMENT, '', '["s"]')])];
    const created = await create(plan([{ at: start + HOUR, change: set({ rules }) }]));
    await store.documents.writeSegment(envId, 's', (before) => asDeleted({ ...aSegment(), ...before }));
    await tickAt(1);
    expect((await present(created))?.state).toMatchObject({
      kind: 'paused',
      reason: 'step 1 cannot be applied: flag "f" would refer to segment "S", which is archived',
    });
  });
});

test('the reason of a pause has a limited size', async () => {
  const third = { id: 'c', name: 'c', value: 'c' };
  await manual({ variationType: 'string', variations: [...aFlag().variations, third] });
  const served = [{ id: 'c', rollout: [0, 1] as const, exptRollout: 1 }];
  const rules = Array.from({ length: 900 }, (_, n) => aRule([], { id: `${n}`, name: `rule ${n}`, variations: served }));
  const created = await create(plan([{ at: start + HOUR, change: set({ rules }) }]));
  await manual({ variations: aFlag().variations });
  await store.plans.resume(envId, created.id);
  await tickAt(1);
  const state = (await present(created))?.state;
  expect(state?.kind === 'paused' && state.reason).toMatch(/^step 1 cannot be applied: /);
  expect(JSON.stringify(state).length).toBeLessThan(2_000);
});

describe('a plan that grows a rule', () => {
  const norway = aRule([aCondition('country', 'Equal', 'NO')], { id: 'norway', name: 'Norway' });
  const other = aRule([aCondition('plan', 'Equal', 'pro')], { id: 'pro', name: 'Pro' });
  const steps: Parameters<typeof rolloutPlan>[2] = [
    { at: 1 * HOUR, share: 0.1 },
    { at: 2 * HOUR, share: 0.5 },
    { at: 3 * HOUR, share: 1 },
  ];
  const grow = (rule: string) =>
    create(
      rolloutPlan(
        'f',
        'on',
        steps.map(({ at, share }) => ({ at: start + at, share })),
        rule,
      ),
    );
  const sharesOf = async (id: string) => {
    const rule = (await flag()).rules.find((each) => each.id === id);
    return rule?.variations.map(({ id: variation, rollout: [from, to] }) => [variation, from, to]);
  };
  beforeEach(() => manual({ rules: [other, norway] }));

  test('sets only the shares of the rule, which a position, name or id names', async () => {
    for (const named of ['2', 'Norway', 'norway']) {
      const { id, steps: stored } = await grow(named);
      expect(stored[0]).toMatchObject({
        text: 'Rule “Norway”: Off 100 % → On 10 %, Off 90 %',
        fields: { rules: { norway: [share('on', 0.9, 1), share('off', 0, 0.9)] } },
      });
      expect(Object.keys(stored[0]?.fields['rules'] as object)).toEqual(['norway']);
      await store.plans.abort(envId, id);
    }
    await expect(grow('3')).rejects.toThrow('flag "f" has no rule "3"; its rules are: 1 "Pro", 2 "Norway"');
    await grow('2');
    await tickAt(1);
    expect(await flag()).toMatchObject({
      rules: [other, { id: 'norway' }],
      fallthrough: { variations: [share('off')] },
    });
    expect(await sharesOf('norway')).toEqual([
      ['on', 0.9, 1],
      ['off', 0, 0.9],
    ]);
    await tickAt(3);
    expect(await sharesOf('norway')).toEqual([['on', 0, 1]]);
  });

  test('continues with a rule that was moved, renamed and edited', async () => {
    const created = await grow('Norway');
    await tickAt(1);
    const grown = (await flag()).rules[1] as typeof norway;
    const conditions = [aCondition('country', 'Equal', 'SE')];
    await manual({ rules: [{ ...grown, name: 'Sweden', conditions }, other] });
    expect((await present(created))?.state).toMatchObject({ reason: expect.stringMatching(/^bob changed .*Z$/) });
    await store.plans.resume(envId, created.id);
    await tickAt(2);
    expect(await flag()).toMatchObject({ rules: [{ id: 'norway', name: 'Sweden', conditions }, { id: 'pro' }] });
    expect((await sharesOf('norway'))?.[0]).toEqual(['on', 0.5, 1]);
  });

  test('stops with the reason if the rule was removed, until it is there again', async () => {
    const created = await grow('Norway');
    await tickAt(1);
    await manual({ rules: [other] });
    const reason = expect.stringMatching(/^bob changed the flag at \S+Z, and the rule of the plan was removed$/);
    expect((await present(created))?.state).toMatchObject({ kind: 'paused', reason });
    await tickAt(2);
    expect((await present(created))?.state).toMatchObject({ kind: 'paused', reason });
    await expect(store.plans.resume(envId, created.id)).rejects.toThrow(
      'the rule of the plan was removed; undo the removal in the history, or abort the plan',
    );
    expect(await flag()).toMatchObject({ rules: [{ id: 'pro' }] });
    const [removal] = await entries();
    await as('bob').history.undo(envId, removal?.version ?? 0);
    await store.plans.resume(envId, created.id);
    await tickAt(2.5);
    expect((await sharesOf('norway'))?.[0]).toEqual(['on', 0.5, 1]);
  });
});

describe('an operator', () => {
  test('skips the next step, and aborts', async () => {
    const created = await create(rollout([1, 0.1], [2, 0.5], [3, 1]));
    await as('bob').plans.skip(envId, created.id);
    await tickAt(1);
    expect((await flag()).fallthrough.variations).toEqual([share('off')]);
    await tickAt(2);
    expect(await outcomes(created)).toEqual(['skipped', 'applied', 'waiting']);
    expect((await present(created))?.steps[0]?.outcome).toMatchObject({ by: 'bob' });
    await as('bob').plans.abort(envId, created.id);
    await tickAt(3);
    expect(await outcomes(created)).toEqual(['skipped', 'applied', 'waiting']);
    expect((await present(created))?.state).toMatchObject({ kind: 'aborted', by: 'bob' });
    await expect(store.plans.resume(envId, created.id)).rejects.toThrow('the plan is aborted already');
    await expect(store.plans.skip(envId, 'p-none')).rejects.toThrow('there is no plan "p-none"');
  });

  test('skips no other step if a tick applies the next one at the same time', async () => {
    const created = await create(rollout([1, 0.1], [2, 0.5], [3, 1]));
    effects.clock.now = Math.max(effects.clock.now, start + HOUR);
    let hasTicked = false;
    const racing = database.open(effects, async ({ name }, send) => {
      if (name === 'TransactWriteItems' && !hasTicked) {
        hasTicked = true;
        await tick(store);
      }
      return send();
    });
    await expect(racing.plans.skip(envId, created.id)).rejects.toThrow(
      'step 1 is no longer waiting; nothing was skipped',
    );
    expect(await outcomes(created)).toEqual(['applied', 'waiting', 'waiting']);
  });

  test('ends the plan by skipping the last step', async () => {
    const created = await create(plan([{ at: start + HOUR, change: set({ isEnabled: true }) }]));
    expect((await store.plans.skip(envId, created.id))?.state).toMatchObject({ kind: 'done' });
    await tickAt(1);
    expect(await flag()).toMatchObject({ isEnabled: false });
  });
});

describe('the creation', () => {
  const refused = (plans: NewPlan | readonly NewPlan[], message: string) =>
    expect(store.plans.create(envId, start, () => [plans].flat() as NewPlan[])).rejects.toThrow(message);
  const at = (hours: number, fields: Partial<Flag>) => ({ at: start + hours * HOUR, change: set(fields) });

  test('checks the plan as a whole, and stores nothing of one that is refused', async () => {
    const rules = [aRule([aCondition(IN_SEGMENT, '', '["gone"]')])];
    await refused(
      plan([at(1, { isEnabled: true }), at(2, { rules })]),
      'flag "f" would refer to segment "gone", which does not exist',
    );
    await refused(plan([at(1, { disabledVariationId: 'gone' })]), '"gone" is not the id of a variation of this flag');
    await refused(
      plan([at(1, { variations: [] })]),
      'flag "f" would not be valid: variations: must have at least one variation',
    );
    await refused(plan([at(-1, { isEnabled: true })]), 'before the creation of the plan');
    await refused(plan([at(2, { isEnabled: true }), at(1, { isEnabled: false })]), 'in the order of their times');
    await refused(plan([at(1, { isEnabled: true }), at(1, { isEnabled: false })]), 'in the order of their times');
    await refused(plan([at(1, { key: 'other' })]), 'flag "f" cannot become flag "other"');
    await refused(plan([]), 'a plan has 1 to 50 steps, but this one has 0');
    await refused(
      plan(Array.from({ length: 51 }, (_, n) => at(n, { name: `${n}` }))),
      '1 to 50 steps, but this one has 51',
    );
    await refused(plan([at(1, { isEnabled: true })], { documentId: 'none' }), 'there is no flag "none"');
    await refused(plan([at(1, { description: 'x'.repeat(300_000) })]), 'is more than the limit of 262144 bytes');
    await refused(rollout([1, 0.5], [2, 0.1]), '10 % is too small');
    const archive = (document: Document) =>
      ({ ...document, document: { ...document.document, isArchived: true } }) as Document;
    await store.documents.writeFlag(envId, 'g', (before) => ({
      ...aFlag(),
      ...before,
      rules: [aRule([aCondition(IN_SEGMENT, '', '["s"]')])],
    }));
    await refused(
      plan([{ at: start, change: archive }], { kind: 'segment', documentId: 's' }),
      'these flags refer to it: g',
    );
    expect(await itemsUnder(`PLAN#${envId}`)).toEqual([]);
  });

  test('takes an archived flag only to restore it', async () => {
    await manual({ isArchived: true });
    await refused(plan([at(1, { isEnabled: true })]), 'flag "f" is archived; restore it');
    await create(plan([at(1, { isArchived: false })]));
    await tickAt(1);
    expect(await flag()).toMatchObject({ isArchived: false });
  });

  test('ignores problems that the flag has already', async () => {
    await manual({ disabledVariationId: 'gone', rules: [aRule([aCondition(IN_SEGMENT, '', '["gone"]')])] });
    await create(plan([at(1, { isEnabled: true })]));
    await tickAt(1);
    expect(await flag()).toMatchObject({ isEnabled: true });
  });

  test('allows one open plan for a flag, also of two operators at the same time', async () => {
    const both = await Promise.allSettled([create(rollout([1, 0.1])), create(rollout([1, 0.2]))]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const [open] = await store.plans.list(envId);
    await refused(rollout([1, 0.3]), 'flag "f" has an open plan already; wait for its end, or abort it (plan abort)');
    await store.plans.abort(envId, open?.id ?? '');
    await create(rollout([1, 0.3]));
  });

  test.each(['first', 'second'])(
    'allows one open plan for a flag if another operator is faster: %s plan',
    async (which) => {
      if (which === 'second') await create(plan([at(1, { isEnabled: false })], { documentId: 'g' }));
      let isOvertaken = false;
      const racing = database.open(effects, async ({ name }, send) => {
        if (name === 'TransactWriteItems' && !isOvertaken) {
          isOvertaken = true;
          await create(rollout([1, 0.1]));
        }
        return send();
      });
      await expect(racing.plans.create(envId, start, () => [rollout([1, 0.2])])).rejects.toThrow('has an open plan');
      expect(await store.plans.list(envId)).toHaveLength(which === 'first' ? 1 : 2);
    },
  );

  test('refuses times that are not whole milliseconds', async () => {
    const change = set({ isEnabled: true });
    const own = [{ at: start + 1, change }];
    const whole = (ms: number) => `must be in whole milliseconds, but this one is ${ms}; round it`;
    await refused(plan([{ at: start + 0.5, change }]), whole(start + 0.5));
    await refused(plan([{ at: Number.POSITIVE_INFINITY, change }]), whole(Number.POSITIVE_INFINITY));
    await refused(plan(own, { guards: ['errors'], watchMs: 1.5 }), whole(1.5));
    await create(plan(own));
    await refused(
      plan([{ at: start + 2.5, change: set({ isEnabled: false }) }], { appends: true }),
      whole(start + 2.5),
    );
  });

  test('stores nothing if nothing changes', async () => {
    expect(await store.plans.create(envId, start, () => [plan([at(1, { isEnabled: false })])])).toEqual([]);
  });

  test('limits the open plans of an environment', async () => {
    const documents = Array.from({ length: 50 }, (_, n) => ({
      kind: 'flag' as const,
      document: aFlag({ key: `flag-${n}` }),
    }));
    await store.documents.import(envId, documents);
    const plans = documents.map(({ document }) =>
      plan([at(9_000, { isEnabled: false })], { documentId: document.key }),
    );
    await refused(plans, '50 is more than the limit of 49 plans at once');
    const { client, flags: table } = store.tables;
    for (let n = 0; n < OPEN_PLANS_LIMIT - 2; n++) {
      const Item = { ...keys.plan(envId, `p-${n}`), isOpen: { BOOL: true }, target: { S: `flag "${n}"` } };
      await client.send(new PutItemCommand({ TableName: table, Item }));
    }
    await refused(plans.slice(0, 3), '501 is more than the limit of 500 open plans');
    await store.plans.create(envId, start, () => plans.slice(0, 2));
    await refused(plans.slice(2, 3), '501 is more than the limit of 500 open plans');
  });
});

test('lists many plans with at most 16 reads at the same time', async () => {
  const documents = Array.from({ length: 49 }, (_, n) => ({
    kind: 'flag' as const,
    document: aFlag({ key: `flag-${n}` }),
  }));
  await store.documents.import(envId, documents);
  await store.plans.create(envId, start, () =>
    documents.map(({ document }) =>
      plan([{ at: start + HOUR, change: set({ isEnabled: false }) }], { documentId: document.key }),
    ),
  );
  let [reads, running, most] = [0, 0, 0];
  const counted = database.open(effects, async ({ name }, send) => {
    if (name !== 'GetItem') return send();
    reads++;
    most = Math.max(most, ++running);
    await setImmediate();
    return send().finally(() => running--);
  });
  const listed = await counted.plans.list(envId);
  expect(listed.map(({ documentId }) => documentId).toSorted()).toEqual(
    documents.map((each) => each.document.key).toSorted(),
  );
  expect([reads, most]).toEqual([49, 16]);
});

describe('a change that is scheduled', () => {
  const schedule = (created: ReleasePlan[]) =>
    as('alice').plans.scheduled(start + HOUR, start, (plans) => {
      created.push(...plans);
    });

  test('becomes a plan for each document, and is not written', async () => {
    const created: ReleasePlan[] = [];
    const documents = schedule(created);
    expect(
      await documents.writeAll(envId, (all) =>
        all.flatMap((each) => (each.kind === 'flag' ? [{ ...each, document: { ...each.document, tags: ['t'] } }] : [])),
      ),
    ).toMatchObject([
      { id: 'f', updatedAt: start + HOUR },
      { id: 'g', updatedAt: start + HOUR },
    ]);
    await documents.writeSegment(envId, 's', (before) => ({ ...aSegment(), ...before, included: ['ann'] }));
    expect(created.map(({ documentId }) => documentId)).toEqual(['f', 'g', 's']);
    expect((await flag()).tags).toEqual([]);
    await tickAt(1);
    expect([(await flag()).tags, (await flag('g')).tags]).toEqual([['t'], ['t']]);
  });

  test('deletes a flag; a new flag cannot be scheduled', async () => {
    const created: ReleasePlan[] = [];
    await schedule(created).writeFlag(envId, 'f', (before) => asDeleted({ ...aFlag(), ...before }));
    await tickAt(1);
    expect(await flag()).toMatchObject({ isDeleted: true, isArchived: true });
    await expect(schedule(created).writeFlag(envId, 'new', () => aFlag({ key: 'new' }))).rejects.toThrow(
      'there is no flag "new"',
    );
  });
});

describe('a change that is scheduled for a flag with an open plan', () => {
  const schedule = async (hours: number, fields: Partial<Flag>, more: Partial<NewPlan> = {}, by = 'alice') => {
    const at = start + hours * HOUR;
    let created: readonly ReleasePlan[] = [];
    const onCreated = (plans: readonly ReleasePlan[]) => {
      created = plans;
    };
    await as(by)
      .plans.scheduled(at, effects.now(), onCreated, { appends: true, ...more })
      .writeFlag(envId, 'f', (before) => ({ ...aFlag(), ...before, ...fields }));
    return created[0];
  };

  test('is added to it as a step, from the state that earlier steps leave', async () => {
    const first = await schedule(1, { isEnabled: true });
    const second = await schedule(9, { isEnabled: false, name: 'closed' }, {}, 'bob');
    expect(second).toMatchObject({
      id: first?.id,
      by: 'alice',
      steps: [{ text: 'Switch: off → on' }, { text: expect.stringContaining('on → off'), added: { by: 'bob' } }],
      before: { isEnabled: false, name: aFlag({ key: 'f' }).name },
    });
    expect(await store.plans.list(envId)).toHaveLength(1);
    await tickAt(1);
    expect(await flag()).toMatchObject({ isEnabled: true });
    // A step can be added after others were applied.
    expect((await schedule(10, { isEnabled: true }))?.steps).toHaveLength(3);
    await tickAt(9);
    expect(await flag()).toMatchObject({ isEnabled: false, name: 'closed' });
    expect((await entries())[0]).toMatchObject({
      by: `plan ${first?.id} of bob`,
      command: 'step 2 of 3: command of bob',
    });
    await tickAt(10);
    expect(await present(second as ReleasePlan)).toMatchObject({ state: { kind: 'done' } });
    expect(await itemsUnder('DUE')).toEqual([]);
  });

  test('is compared with the state at its time', async () => {
    await schedule(2, { isEnabled: true });
    expect(await schedule(1, { isEnabled: false })).toBeUndefined();
    expect(await schedule(3, { isEnabled: true })).toBeUndefined();
  });

  test('is refused before a waiting step, on a rollout, if paused, and beyond 50 steps', async () => {
    const open = await schedule(2, { isEnabled: true });
    const abort = 'or abort the plan';
    for (const hours of [1, 2]) {
      await expect(schedule(hours, { name: 'early' })).rejects.toThrow(
        `the plan of flag "f" has a step at ${new Date(start + 2 * HOUR).toISOString()}, and a new step must be later; choose a later time, ${abort}`,
      );
    }
    await manual({ description: 'edited' });
    await expect(schedule(3, { name: 'late' })).rejects.toThrow(
      `the plan of flag "f" is paused; resume it first, ${abort}`,
    );
    await store.plans.abort(envId, open?.id ?? '');
    const growing = await create(rollout([1, 0.1]));
    await expect(schedule(3, { name: 'late' })).rejects.toThrow('flag "f" has an open plan already');
    await store.plans.abort(envId, growing.id);
    await create(plan(Array.from({ length: 50 }, (_, n) => ({ at: start + n + HOUR, change: set({ name: `${n}` }) }))));
    await expect(schedule(3, { name: 'late' })).rejects.toThrow('1 to 50 steps, but this one has 51');
  });

  test('keeps the guards of the plan, which then watch the new last step', async () => {
    const guarding = { guards: ['errors', 'latency'], watchMs: HOUR };
    await schedule(1, { isEnabled: true }, guarding);
    const other = `the plan of flag "f" keeps its guards and its watch; omit --guard and --watch`;
    await expect(schedule(5, { name: 'late' }, { guards: ['other'] })).rejects.toThrow(other);
    await expect(schedule(5, { name: 'late' }, { watchMs: 2 * HOUR })).rejects.toThrow(other);
    await tickAt(1.5);
    await schedule(5, { name: 'late' });
    const same = await schedule(6, { name: 'later' }, { guards: ['latency', 'errors'], watchMs: HOUR });
    expect(same?.guards).toEqual(['errors', 'latency']);
    expect(same?.steps.map(({ at, isWatch = false }) => [(at - start) / HOUR, isWatch])).toEqual([
      [1, false],
      [5, false],
      [6, false],
      [7, true],
    ]);
    for (const hours of [5, 6, 7]) await tickAt(hours);
    expect(await present(same as ReleasePlan)).toMatchObject({ state: { kind: 'done' } });
    expect(await itemsUnder('DUE')).toEqual([]);
  });

  test('is not lost when two operators add steps at the same time', async () => {
    await schedule(1, { isEnabled: true });
    await Promise.all(
      [schedule(3, { name: 'one' }), schedule(3.5, { name: 'two' })].map((each) => each.catch(() => 0)),
    );
    const [open] = await store.plans.list(envId);
    const added = open?.steps.map(({ fields }) => fields['name']).slice(1);
    // The later one may be first. Then the earlier one is refused.
    expect([['one', 'two'], ['two']]).toContainEqual(added);
  });
});
