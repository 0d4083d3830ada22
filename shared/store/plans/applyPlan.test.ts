import { GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { beforeEach, expect, test } from '@jest/globals';
import { tick } from '../../../functions/testing/tick.ts';
import type { Document } from '../../flags/document.ts';
import { IN_SEGMENT } from '../../flags/rule.ts';
import type { NewPlan } from '../../plans/newPlan.ts';
import type { ReleasePlan } from '../../plans/releasePlan.ts';
import { aCondition, aFlag, aRule, aSegment } from '../../testing/builders.ts';
import { keys } from '../table/keys.ts';
import { database, newEnvironment, store, useStore } from '../testing/testStore.ts';
import { type TestStore, testEffects } from '../testing/testTables.ts';
import { fireGuard } from './applyPlan.ts';

const effects = testEffects();
const MINUTE = 60_000;

useStore(effects);

let envId: string;

beforeEach(async () => {
  envId = await newEnvironment();
  await store.documents.import(envId, [
    { kind: 'flag', document: aFlag({ key: 'f' }) },
    { kind: 'segment', document: aSegment({ id: 's' }) },
  ]);
});

async function planOf(
  kind: ReleasePlan['kind'],
  documentId: string,
  fields: object,
  more: Partial<NewPlan> = {},
): Promise<ReleasePlan> {
  const at = effects.now() + MINUTE;
  const change = (document: Document) => ({ ...document, document: { ...document.document, ...fields } }) as Document;
  const [plan] = await store.plans.create(envId, effects.now(), () => [
    { kind, documentId, type: 'changes', steps: [{ at, change }], ...more },
  ]);
  if (!plan) throw new Error('nothing was planned');
  return plan;
}

const dueEntry = async ({ id, steps: [step] }: ReleasePlan) => {
  const Key = keys.due(step?.at ?? 0, envId, id);
  return (await store.tables.client.send(new GetItemCommand({ TableName: store.tables.flags, Key }))).Item;
};

test('an idle tick is one query', async () => {
  const { id } = await planOf('flag', 'f', { isEnabled: false });
  const calls: string[] = [];
  const watched = database.open(effects, ({ name }, send) => {
    calls.push(name);
    return send();
  });
  expect(await tick(watched)).toEqual([]);
  expect(calls).toEqual(['Query']);
  await store.plans.abort(envId, id);
  // The tick removes the entry, which operators may not delete.
  effects.clock.now += MINUTE;
  await tick(store);
});

/** 150 flags that refer to the segment, which need more than one transaction. */
async function importFollowers(): Promise<void> {
  const rules = [aRule([aCondition(IN_SEGMENT, '', '["s"]')])];
  const flags = Array.from({ length: 150 }, (_, n) => ({
    kind: 'flag' as const,
    document: aFlag({ key: `f${n}`, rules }),
  }));
  await store.documents.import(envId, flags);
}

/** A store of a process that is killed after its first transaction. */
function killedAfterTransaction(): TestStore {
  let transactions = 0;
  return database.open(effects, ({ name }, send) => {
    if (name === 'TransactWriteItems') transactions += 1;
    if (transactions > 1) throw new Error('killed');
    return send();
  });
}

const fire = ({ tables: { client, flags } }: TestStore, { id }: ReleasePlan) =>
  fireGuard({ client, name: flags, effects }, envId, id, { kind: 'alarm', name: 'errors' });

test('a tick finishes a step of a large segment in which the last one was killed', async () => {
  await importFollowers();
  const plan = await planOf('segment', 's', { included: ['ann'] });
  effects.clock.now += MINUTE;
  expect(await tick(killedAfterTransaction())).toMatchObject([
    { message: expect.stringMatching(`^plan ${plan.id} of environment ${envId}: .*killed`) },
  ]);
  expect((await store.documents.version(envId)).isUnfinished).toBe(true);
  expect(await dueEntry(plan)).toBeDefined();

  expect(await tick(store)).toEqual([]);
  const stored = await store.documents.load(envId);
  const segment = stored.find(({ kind }) => kind === 'segment');
  const older = stored.filter(
    ({ kind, id, updatedAt }) => kind === 'flag' && id !== 'f' && updatedAt < (segment?.updatedAt ?? 0),
  );
  expect(older).toEqual([]);
  expect((await store.documents.version(envId)).isUnfinished).toBe(false);
  expect(await dueEntry(plan)).toBeUndefined();
  expect(await store.plans.list(envId, 'all')).toMatchObject([{ state: { kind: 'done' } }]);
});

test('a guard finishes an undo of a large segment in which its last call was killed', async () => {
  await importFollowers();
  const plan = await planOf('segment', 's', { included: ['ann'] }, { guards: ['errors'], watchMs: MINUTE });
  effects.clock.now += MINUTE;
  expect(await tick(store)).toEqual([]);
  await expect(fire(killedAfterTransaction(), plan)).rejects.toThrow('killed');
  expect((await store.documents.version(envId)).isUnfinished).toBe(true);
  expect(await fire(store, plan)).toMatchObject({ state: { kind: 'paused', guard: 'errors' } });
  expect((await store.documents.version(envId)).isUnfinished).toBe(false);
});

test('a tick keeps an entry that a command gives to its plan meanwhile', async () => {
  const plan = await planOf('flag', 'f', { isEnabled: false });
  await fire(store, plan);
  // As an interrupted step leaves it.
  const Item = keys.due(plan.steps[0]?.at ?? 0, envId, plan.id);
  await store.tables.client.send(new PutItemCommand({ TableName: store.tables.flags, Item }));
  effects.clock.now += MINUTE;
  let isResumed = false;
  const racing = database.open(effects, async ({ name }, send) => {
    if (name === 'TransactWriteItems' && !isResumed) {
      isResumed = true;
      await store.plans.resume(envId, plan.id);
    }
    return send();
  });
  expect(await tick(racing)).toEqual([]);
  expect(await dueEntry(plan)).toBeDefined();
  expect(await tick(store)).toEqual([]);
  expect(await store.plans.list(envId, 'all')).toMatchObject([{ steps: [{ outcome: { kind: 'applied' } }] }]);
});

test('a tick removes an entry without a plan, and leaves a plan that is not due', async () => {
  const plan = await planOf('flag', 'f', { isEnabled: false });
  const early = { ...plan, steps: [{ at: effects.now() }] } as unknown as ReleasePlan;
  const orphan = { ...early, id: 'p-none' };
  for (const {
    id,
    steps: [step],
  } of [early, orphan]) {
    const Item = keys.due(step?.at ?? 0, envId, id);
    await store.tables.client.send(new PutItemCommand({ TableName: store.tables.flags, Item }));
  }
  expect(await tick(store)).toEqual([]);
  expect([await dueEntry(early), await dueEntry(orphan)]).toEqual([undefined, undefined]);
  expect(await dueEntry(plan)).toBeDefined();
  expect(await store.plans.list(envId)).toMatchObject([
    { state: { kind: 'running' }, steps: [{ outcome: { kind: 'waiting' } }] },
  ]);
});

test('a tick removes an entry that names no plan', async () => {
  const { client, flags: TableName } = store.tables;
  // An editor of one environment may write entries of all.
  const Key = { ...keys.due(0, envId, ''), sk: { S: '0' } };
  await client.send(new PutItemCommand({ TableName, Item: Key }));
  expect(await tick(store)).toEqual([]);
  expect((await client.send(new GetItemCommand({ TableName, Key }))).Item).toBeUndefined();
});

test('a tick removes the plan of an environment that does not exist any more', async () => {
  const plan = await planOf('flag', 'f', { isEnabled: false });
  const environment = await store.environments.find(envId);
  await store.environments.remove(environment);
  expect(await dueEntry(plan)).toBeUndefined();
  expect(await store.plans.list(envId, 'all')).toEqual([]);

  // As if it had been created while the environment was removed.
  const { client, flags: TableName } = store.tables;
  const { id, ...stored } = plan;
  const Item = { ...keys.plan(envId, id), revision: { N: '1' }, plan: { S: JSON.stringify(stored) } };
  await client.send(new PutItemCommand({ TableName, Item }));
  await client.send(new PutItemCommand({ TableName, Item: keys.due(plan.steps[0]?.at ?? 0, envId, id) }));
  effects.clock.now += MINUTE;
  expect(await tick(store)).toEqual([]);
  expect(await dueEntry(plan)).toBeUndefined();
  expect(await store.plans.list(envId, 'all')).toEqual([]);
});

test('a change that a second one takes back pauses the plan, until it is resumed', async () => {
  const plan = await planOf('flag', 'f', { name: 'planned' });
  const switchTo = (isEnabled: boolean) =>
    store.documents.writeFlag(envId, 'f', (flag) => ({ ...(flag ?? aFlag({ key: 'f' })), isEnabled }));
  const kind = async () => (await store.plans.list(envId, 'all'))[0]?.state.kind;
  for (const isEnabled of [false, true]) {
    effects.clock.now += 1_000;
    await switchTo(isEnabled);
    expect(await kind()).toBe('paused');
  }
  effects.clock.now += MINUTE;
  await tick(database.open(effects));
  expect(await kind()).toBe('paused');
  await store.plans.resume(envId, plan.id);
  expect(await kind()).toBe('running');
  effects.clock.now += MINUTE;
  await tick(database.open(effects));
  expect(await kind()).toBe('done');
});

test('a change of a segment that a flag names does not pause its plan', async () => {
  await store.documents.writeFlag(envId, 'f', () =>
    aFlag({ key: 'f', rules: [aRule([aCondition(IN_SEGMENT, '', '["s"]')])] }),
  );
  await planOf('flag', 'f', { name: 'planned' });
  effects.clock.now += 1_000;
  await store.documents.writeSegment(envId, 's', () => aSegment({ id: 's', name: 'other' }));
  expect((await store.plans.list(envId))[0]?.state.kind).toBe('running');
});

test('a tick without time leaves the steps to the next one', async () => {
  const plan = await planOf('flag', 'f', { isEnabled: false });
  effects.clock.now += MINUTE;
  expect(await tick(store, effects.now())).toEqual([]);
  expect(await dueEntry(plan)).toBeDefined();
  expect(await tick(store, effects.now() + 1)).toEqual([]);
  expect(await dueEntry(plan)).toBeUndefined();
});

test('an environment that fails does not delay another', async () => {
  const failing = envId;
  await planOf('flag', 'f', { isEnabled: false });
  envId = await newEnvironment();
  await store.documents.import(envId, [{ kind: 'flag', document: aFlag({ key: 'f' }) }]);
  const plan = await planOf('flag', 'f', { isEnabled: false });
  effects.clock.now += MINUTE;
  const broken = database.open(effects, ({ name, input }, send) => {
    if (name === 'GetItem' && JSON.stringify(input.Key).includes(failing)) throw new Error('out of order');
    return send();
  });
  expect(await tick(broken)).toMatchObject([{ message: expect.stringContaining(failing) }]);
  expect(await dueEntry(plan)).toBeUndefined();
  expect(await tick(store)).toEqual([]);
});
