import { BatchWriteItemCommand, PutItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import { beforeEach, expect, test } from '@jest/globals';
import type { Document } from '../../shared/flags/document.ts';
import type { ReleasePlan } from '../../shared/plans/releasePlan.ts';
import { inBatches } from '../../shared/runtime/batches.ts';
import { type Key, keys } from '../../shared/store/table/keys.ts';
import { database, newEnvironment, store, useStore } from '../../shared/store/testing/testStore.ts';
import { testEffects } from '../../shared/store/testing/testTables.ts';
import { aFlag } from '../../shared/testing/builders.ts';
import { tick } from '../testing/tick.ts';
import { runTick } from './runTick.ts';

const effects = testEffects();
const MINUTE = 60_000;

useStore(effects);

let envId: string;

beforeEach(async () => {
  envId = await anEnvironment();
});

async function anEnvironment(flags = 1): Promise<string> {
  const id = await newEnvironment();
  const documents = Array.from({ length: flags }, (_, n) => ({
    kind: 'flag' as const,
    document: aFlag({ key: `f${n}` }),
  }));
  await store.documents.import(id, documents);
  return id;
}

/** Plans with one step each, which is due in a minute. */
function plansOf(id: string, flags = 1): Promise<ReleasePlan[]> {
  const change = (document: Document) =>
    ({ ...document, document: { ...document.document, name: 'planned' } }) as Document;
  const steps = [{ at: effects.now() + MINUTE, change }];
  return store.plans.create(id, effects.now(), () =>
    Array.from({ length: flags }, (_, n) => ({ kind: 'flag', documentId: `f${n}`, type: 'changes', steps })),
  );
}

/** A store whose changes of flags fail. */
const withoutChanges = () =>
  database.open(effects, ({ input }, send) => {
    if (JSON.stringify(input).includes('JOURNAL#')) throw new Error('out of order');
    return send();
  });
const put = (Item: PutItemCommand['input']['Item']) =>
  store.tables.client.send(new PutItemCommand({ TableName: store.tables.flags, Item }));
async function putAll(items: readonly Key[]): Promise<void> {
  for (const batch of inBatches(items, { count: 25, bytes: 1e6 }, () => 1)) {
    const RequestItems = { [store.tables.flags]: batch.map((Item) => ({ PutRequest: { Item } })) };
    await store.tables.client.send(new BatchWriteItemCommand({ RequestItems }));
  }
}
async function dueEntries(id: string): Promise<string[]> {
  const { Items = [] } = await store.tables.client.send(
    new QueryCommand({
      TableName: store.tables.flags,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': { S: 'DUE' } },
    }),
  );
  return Items.map(({ sk }) => sk?.S ?? '').filter((sk) => sk.includes(id));
}
const outcomes = async (id: string) =>
  (await store.plans.list(id, 'all')).flatMap(({ steps }) => steps.map(({ outcome }) => outcome.kind));

test('a thousand older entries that fail do not stop the plans of another environment', async () => {
  const own = effects.uuid();
  const damaged = { ...keys.plan(own, 'p'), plan: { S: '{"steps":' } };
  await put(damaged);
  await putAll(Array.from({ length: 1_001 }, (_, n) => keys.due(n, own, 'p')));
  await plansOf(envId);
  effects.clock.now += MINUTE;
  const reason = `plan p cannot be read; delete its item of PLAN#${own}, and create it again`;
  expect((await tick(store)).map(({ message }) => message)).toEqual([`plan p of environment ${own}: ${reason}`]);
  expect(await outcomes(envId)).toEqual(['applied']);
  // It is reported once.
  expect(await tick(store)).toEqual([]);
  expect(await dueEntries(own)).toEqual([]);
});

test.each(['null', '{}', '{"steps":[{}]}', '{"steps":[{"at":1e99,"outcome":{"kind":"waiting"}}]}', '{"steps":[]}'])(
  'a plan with the text %s is reported once',
  async (text) => {
    await put({ ...keys.plan(envId, 'p'), plan: { S: text } });
    await put(keys.due(0, envId, 'p'));
    expect(await tick(store)).toMatchObject([{ message: expect.stringContaining('plan p cannot be read') }]);
    expect(await tick(store)).toEqual([]);
  },
);

test('an entry whose plan failed moves behind the others, until the plan succeeds', async () => {
  const [plan] = await plansOf(envId);
  effects.clock.now += 2 * MINUTE;
  const failing = withoutChanges();
  for (const _ of [1, 2]) {
    expect(await tick(failing)).toMatchObject([{ message: expect.stringContaining('out of order') }]);
    expect(await dueEntries(envId)).toEqual([keys.due(effects.now(), envId, plan?.id ?? '').sk.S]);
    effects.clock.now += MINUTE;
  }
  expect(await tick(store)).toEqual([]);
  expect(await outcomes(envId)).toEqual(['applied']);
  expect(await dueEntries(envId)).toEqual([]);
});

test('an entry of another form is removed if its plan fails', async () => {
  const [plan] = await plansOf(envId);
  await put({
    ...keys.plan(envId, 'x'),
    plan: { S: JSON.stringify({ ...plan, steps: [{ ...plan?.steps[0], at: 0 }] }) },
  });
  await put({ pk: { S: 'DUE' }, sk: { S: `0#${envId}#x` } });
  const failing = withoutChanges();
  expect(await tick(failing)).toHaveLength(1);
  expect((await dueEntries(envId)).filter((sk) => sk.endsWith('#x'))).toEqual([]);
});

test('environments take turns, so a tick that ends early leaves none of them behind', async () => {
  // More than at the same time.
  const environments = await Promise.all(Array.from({ length: 12 }, () => anEnvironment(4)));
  for (const id of environments) await plansOf(id, 4);
  effects.clock.now += MINUTE;
  let looks = 0;
  const readGuards = async () => {
    looks += 1;
    if (looks >= 2 * environments.length) effects.clock.now += 1;
    return { kind: 'clear' } as const;
  };
  expect(await tick(store, effects.now() + 1, readGuards)).toEqual([]);
  for (const id of environments) expect(await outcomes(id)).toContain('applied');
  expect((await Promise.all(environments.map(outcomes))).flat()).toContain('waiting');
  expect(await tick(store)).toEqual([]);
  expect((await Promise.all(environments.map(outcomes))).flat()).not.toContain('waiting');
});

test('a tick does not wait until its writes may be acknowledged', async () => {
  await plansOf(envId);
  effects.clock.now += MINUTE;
  const { client, flags: name } = store.tables;
  const elapse = async () => {
    throw new Error('it waits');
  };
  expect(await runTick({ client, name, effects: { ...effects, elapse } })).toEqual([]);
  expect(await outcomes(envId)).toEqual(['applied']);
});
