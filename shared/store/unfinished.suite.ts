import { DeleteItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { Document } from '../flags/document.ts';
import { IN_SEGMENT } from '../flags/rule.ts';
import { aCondition, aFlag, aRule, aSegment } from '../testing/builders.ts';
import type { StoredDocument } from './documents/item.ts';
import { VERSION_REPLICAS } from './documents/version.ts';
import { keys } from './table/keys.ts';
import { database, store, useStore } from './testing/testStore.ts';
import { type Call, type TestStore, testEffects } from './testing/testTables.ts';

/** The number of flags that refer to the segment. Its change takes three transactions. */
const FLAGS = 200;
const effects = testEffects();
jest.setTimeout(120_000);
let envId: string;

useStore(effects);
beforeEach(async () => {
  envId = await anEnvironment();
});

/** An environment with a segment and the flags that refer to it. */
async function anEnvironment(): Promise<string> {
  const { environment } = await store.environments.create(`env ${effects.uuid()}`);
  const rules = [aRule([aCondition(IN_SEGMENT, '', '["s"]')])];
  await store.documents.import(environment.id, [
    { kind: 'segment', document: aSegment({ id: 's' }) },
    ...Array.from({ length: FLAGS }, (_, n) => ({
      kind: 'flag' as const,
      document: aFlag({ key: `flag-${n}`, rules }),
    })),
  ]);
  return environment.id;
}

/** A process that is killed before its n-th request. It sends nothing after that. */
function killedAt(nth: number): { readonly store: TestStore; readonly calls: Call[] } {
  const calls: Call[] = [];
  const killed = database.open(effects, async (call, send) => {
    calls.push(call);
    if (calls.length < nth) return send();
    throw new Error('killed');
  });
  return { store: killed, calls };
}

const changeMembers = (on: TestStore) =>
  on.documents.writeSegment(envId, 's', () => aSegment({ id: 's', included: ['u'] }));
const writeAnother = (on: TestStore, name = 'new') =>
  on.documents.writeFlag(envId, 'another', () => aFlag({ key: 'another', name }));
const version = () => store.documents.version(envId);

/** Whether all flags have unique versions after the segment's, as SDKs' cursors require, and none is missing. */
async function expectAllStamped(): Promise<void> {
  const documents = (await store.documents.load(envId)).toSorted((a, b) => a.updatedAt - b.updatedAt);
  const segment = documents.find(({ kind }) => kind === 'segment') as StoredDocument;
  expect(segment.targetedAt).toBe(segment.updatedAt);
  const flags = documents.filter(({ id }) => id.startsWith('flag-'));
  expect(flags).toHaveLength(FLAGS);
  for (const { updatedAt } of flags) expect(updatedAt).toBeGreaterThan(segment.updatedAt);
  expect(new Set(documents.map(({ updatedAt }) => updatedAt)).size).toBe(documents.length);
  expect(await version()).toMatchObject({ updatedAt: documents.at(-1)?.updatedAt, isUnfinished: false });
}

/** Kills an action at each of its requests in turn, each time on a new environment, until the action completes. */
async function killEverywhere(
  prepare: () => Promise<unknown>,
  action: (on: TestStore) => Promise<unknown>,
  check: () => Promise<void>,
): Promise<number> {
  for (let nth = 1; ; nth++) {
    envId = await anEnvironment();
    await prepare();
    const { store: killed, calls } = killedAt(nth);
    const outcome = await action(killed).then(
      () => 'done',
      () => 'killed',
    );
    killed.close();
    await check();
    if (outcome === 'done' && calls.length < nth) return nth - 1;
  }
}

describe('a writer that is killed before any of its requests', () => {
  test('during a segment’s change is followed by a write that finishes the change', async () => {
    const requests = await killEverywhere(
      async () => {},
      changeMembers,
      async () => {
        const isBegun = (await store.documents.load(envId)).some(({ targetedAt }) => targetedAt > 0);
        const written = await writeAnother(store);
        expect(written[0]).toMatchObject({ id: 'another' });
        if (isBegun) await expectAllStamped();
      },
    );
    expect(requests).toBeGreaterThan(5);
  });

  test('during the completion of another write is followed by one that finishes both', async () => {
    const interrupt = async () => {
      const { store: killed } = killedAt(4);
      await expect(changeMembers(killed)).rejects.toThrow('killed');
      expect(await version()).toMatchObject({ isUnfinished: true });
    };
    await killEverywhere(
      interrupt,
      (on) => writeAnother(on, 'first'),
      async () => {
        await writeAnother(store, 'second');
        await expectAllStamped();
      },
    );
  });
});

describe('a segment’s change that was interrupted', () => {
  beforeEach(async () => {
    await expect(changeMembers(killedAt(4).store)).rejects.toThrow('killed');
  });

  test('does not keep another writer’s own change waiting', async () => {
    const { store: watched, calls } = killedAt(Number.POSITIVE_INFINITY);
    const written = await writeAnother(watched);
    expect(calls.filter(({ name }) => name === 'TransactWriteItems')).toHaveLength(3);
    expect(calls.slice(0, 3).map(({ name }) => name)).toEqual(['GetItem', 'GetItem', 'TransactWriteItems']);
    expect(written.map(({ id }) => id)).toEqual(['another', ...new Set(written.slice(1).map(({ id }) => id))]);
    expect(written).toHaveLength(1 + FLAGS - 93);
    await expectAllStamped();
  });

  test('gives flags versions of the time at which they get them', async () => {
    const begunAt = effects.now();
    const slow = database.open(effects, async ({ name }, send) => {
      const answer = await send();
      if (name === 'TransactWriteItems') effects.clock.now += 1_000;
      return answer;
    });
    const [own, first] = await writeAnother(slow);
    expect(own?.updatedAt).toBeLessThan(begunAt + 1_000);
    expect(first?.updatedAt).toBe(begunAt + 1_000);
  });

  test('is finished once where several writers come at the same time', async () => {
    const before = (await version()).updatedAt;
    const writers = Array.from({ length: 4 }, (_, n) =>
      database.open(effects).documents.writeFlag(envId, `own-${n}`, () => aFlag({ key: `own-${n}` })),
    );
    const written = (await Promise.all(writers)).flat();
    await expectAllStamped();
    expect(written).toHaveLength(4 + FLAGS - 93);
    const changes = await store.documents.changes(envId, before, (await version()).updatedAt);
    expect(changes?.map(({ id }) => id).toSorted()).toEqual(written.map(({ id }) => id).toSorted());
  });

  test('costs writers nothing once it is finished', async () => {
    await writeAnother(store, 'first');
    const { store: watched, calls } = killedAt(Number.POSITIVE_INFINITY);
    await writeAnother(watched, 'second');
    expect(calls.map(({ name }) => name)).toEqual(['GetItem', 'GetItem', 'TransactWriteItems']);
  });

  test('is over when what it owed has been written otherwise, without a version for it', async () => {
    for (const { id, kind } of await store.documents.load(envId)) {
      if (kind === 'flag')
        await store.tables.client.send(
          new DeleteItemCommand({ TableName: store.tables.flags, Key: keys.flag(envId, id) }),
        );
    }
    const [written] = await writeAnother(store);
    expect(await version()).toMatchObject({ updatedAt: written?.updatedAt, isUnfinished: false });
  });

  test('is finished by a repeat, also if nothing marks it as interrupted', async () => {
    for (let replica = 0; replica < VERSION_REPLICAS; replica++) {
      const Key = keys.version(envId, replica);
      const UpdateExpression = 'REMOVE isUnfinished';
      await store.tables.client.send(new UpdateItemCommand({ TableName: store.tables.flags, Key, UpdateExpression }));
    }
    await expect(changeMembers(killedAt(4).store)).rejects.toThrow('killed');
    expect(await version()).toMatchObject({ isUnfinished: true });
    await changeMembers(store);
    await expectAllStamped();
  });

  test('says so when another writer could write its own, but not finish it', async () => {
    let transactions = 0;
    const failing = database.open(effects, ({ name }, send) => {
      if (name === 'TransactWriteItems' && ++transactions > 1) throw new Error('the cable was pulled');
      return send();
    });
    await expect(writeAnother(failing)).rejects.toMatchObject({
      name: 'Unfinished',
      message: expect.stringMatching(/^the change was written, but .* the cable was pulled$/),
      cause: { message: 'the cable was pulled' },
    });
    expect((await store.documents.load(envId)).some(({ id }) => id === 'another')).toBe(true);
  });
});

describe('an import that is interrupted', () => {
  const rules = [aRule([aCondition(IN_SEGMENT, '', '["s"]')])];
  const documents: Document[] = Array.from({ length: 120 }, (_, n) => ({
    kind: 'flag',
    document: aFlag({ key: `new-${n}`, rules }),
  }));
  const segment: Document = { kind: 'segment', document: aSegment({ id: 's', included: ['u'] }) };

  test('is finished for flags that lack a new version, with a segment of new members', async () => {
    await expect(killedAt(4).store.documents.import(envId, [segment, ...documents])).rejects.toThrow();
    await writeAnother(store);
    await expectAllStamped();
  });

  test('is finished for flags of such a segment, also after two interrupts', async () => {
    const renamed: Document[] = Array.from({ length: FLAGS }, (_, n) => ({
      kind: 'flag',
      document: aFlag({ key: `flag-${n}`, rules, name: 'renamed' }),
    }));
    for (let n = 0; n < 2; n++) {
      const interrupted = killedAt(4).store.documents.import(envId, [segment, ...renamed]);
      await expect(interrupted).rejects.toThrow('killed');
    }
    await writeAnother(store);
    await expectAllStamped();
  });

  test('costs the next writer nothing without a segment', async () => {
    await expect(killedAt(4).store.documents.import(envId, documents)).rejects.toThrow();
    const { store: watched, calls } = killedAt(Number.POSITIVE_INFINITY);
    await writeAnother(watched);
    expect(calls.map(({ name }) => name)).toEqual(['GetItem', 'GetItem', 'TransactWriteItems']);
  });
});

test('a change is not made again where another writer comes between its transactions', async () => {
  let changes = 0;
  let transactions = 0;
  const overtaken = database.open(effects, async ({ name }, send) => {
    if (name === 'TransactWriteItems' && ++transactions === 2) await writeAnother(store);
    return send();
  });
  await overtaken.documents.writeSegment(envId, 's', (segment) => {
    changes++;
    return aSegment({ id: 's', included: [...(segment?.included ?? []), `u${changes}`] });
  });
  expect(changes).toBe(1);
  await expectAllStamped();
});
