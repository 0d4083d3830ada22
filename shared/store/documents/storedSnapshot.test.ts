import { randomBytes } from 'node:crypto';
import { DeleteItemCommand, GetItemCommand, PutItemCommand, paginateScan } from '@aws-sdk/client-dynamodb';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { repeatedFlags } from '../../../loadtest/machine/flagFlips.ts';
import { aFlag } from '../../testing/builders.ts';
import { until } from '../../testing/until.ts';
import { SnapshotCache } from '../snapshots/snapshotCache.ts';
import { SnapshotWriter } from '../snapshots/snapshotWriter.ts';
import { type Item, textIn } from '../table/attributes.ts';
import { keys } from '../table/keys.ts';
import { database, newEnvironment, useTables } from '../testing/testStore.ts';
import { type Call, type Intercept, type TestStore, testEffects } from '../testing/testTables.ts';
import { decodeDocument } from './item.ts';
import { SNAPSHOT_COPIES } from './storedSnapshot.ts';

let effects = testEffects();
let store: TestStore;
let envId = '';

const advance = (ms: number) => {
  effects.clock.now += ms;
};

useTables();

beforeEach(async () => {
  effects = { ...testEffects(), pause: async (ms) => advance(ms) };
  store = database.open(effects);
  envId = await newEnvironment(store);
});

/** The writer of publish. Its calls may be intercepted. */
function aWriter(intercept?: Intercept, name = store.tables.flags): SnapshotWriter {
  return new SnapshotWriter({ client: database.open(effects, intercept).tables.client, name, effects });
}

const put = (key: string) => store.documents.writeFlag(envId, key, () => aFlag({ key }));

/** The read units of a new instance's first read, and the keys of its flags. */
async function coldRead(intercept: Intercept = (_, send) => send()) {
  const calls: Call[] = [];
  let units = 0;
  const counted = database.open(effects, async (call, send) => {
    calls.push(call);
    call.input.ReturnConsumedCapacity = 'TOTAL';
    // biome-ignore lint/suspicious/noExplicitAny: what a command answers.
    const answer = (await intercept(call, send)) as any;
    units += answer.output.ConsumedCapacity?.CapacityUnits ?? 0;
    return answer;
  });
  const { snapshot } = await new SnapshotCache(counted, () => {}).read(envId);
  const isOfDocuments = ({ name, input }: Call) =>
    name === 'Query' && textIn(input.ExpressionAttributeValues, ':pk') === keys.environment(envId).pk.S;
  return { snapshot, units, hasReadDocuments: calls.some(isOfDocuments) };
}

/** Changes the pointer of each copy directly. */
async function editPointers(change: (item: Item) => Item): Promise<void> {
  const { client, flags: TableName } = store.tables;
  for (let copy = 0; copy < SNAPSHOT_COPIES; copy++) {
    const Key = keys.snapshotPointer(envId, copy);
    const { Item = {} } = await client.send(new GetItemCommand({ TableName, Key, ConsistentRead: true }));
    await client.send(new PutItemCommand({ TableName, Item: change(Item) as typeof Item }));
  }
}

async function countSnapshotItems(): Promise<number> {
  const { client, flags: TableName } = store.tables;
  let count = 0;
  for await (const { Items = [] } of paginateScan({ client }, { TableName, ConsistentRead: true })) {
    count += Items.filter((item) => textIn(item, 'pk').startsWith(`SNAPSHOT#${envId}#`)).length;
  }
  return count;
}

async function loseChunks(): Promise<void> {
  const { client, flags: TableName } = store.tables;
  for (let copy = 0; copy < SNAPSHOT_COPIES; copy++) {
    await client.send(new DeleteItemCommand({ TableName, Key: keys.snapshotChunk(envId, copy, 0, 0) }));
  }
}

describe('a new instance', () => {
  test('reads a snapshot of 1,000 flags for a tenth of the read units of its documents', async () => {
    await store.documents.import(envId, repeatedFlags(1_000));
    const before = await coldRead();
    await aWriter().rewrite(envId);
    const after = await coldRead();
    expect(after.snapshot.flags).toHaveLength(1_000);
    expect(after.snapshot.flags.map(({ document }) => document)).toEqual(
      before.snapshot.flags.map(({ document }) => document),
    );
    expect([before.hasReadDocuments, after.hasReadDocuments]).toEqual([true, false]);
    expect(before.units).toBeGreaterThan(200);
    expect(after.units).toBeLessThan(before.units / 10);
  });

  test('has what was written since then, too, at the cost of the journal', async () => {
    await put('a');
    await aWriter().rewrite(envId);
    await put('b');
    const { snapshot, hasReadDocuments } = await coldRead();
    expect(snapshot.flags.map(({ document }) => document.key)).toEqual(['a', 'b']);
    expect(hasReadDocuments).toBe(false);
  });

  test('reads one that was written after it had read the version', async () => {
    await put('a');
    let isFirst = true;
    const { snapshot, hasReadDocuments } = await coldRead(async (_, send) => {
      const answer = await send();
      if (isFirst) {
        isFirst = false;
        await put('b');
        await aWriter().rewrite(envId);
      }
      return answer;
    });
    expect(snapshot.flags.map(({ document }) => document.key)).toEqual(['a', 'b']);
    expect(hasReadDocuments).toBe(false);
  });

  test.each<[string, () => Promise<void>]>([
    ['its chunk is missing', loseChunks],
    ['its digest is another', () => editPointers((item) => ({ ...item, digest: { S: 'another' } }))],
    [
      'it was written to another table, which this was restored from',
      () => editPointers((item) => ({ ...item, table: { S: 'another' } })),
    ],
    [
      'it is newer than the environment',
      () => editPointers((item) => ({ ...item, version: { N: String(Date.UTC(2100, 0)) } })),
    ],
    ['the journal does not lead from it', () => editPointers((item) => ({ ...item, version: { N: '7' } }))],
  ])('reads the documents where %s', async (_, spoil) => {
    await put('a');
    await aWriter().rewrite(envId);
    await spoil();
    const { snapshot, hasReadDocuments } = await coldRead();
    expect(snapshot.flags.map(({ document }) => document.key)).toEqual(['a']);
    expect(hasReadDocuments).toBe(true);
  });
});

describe('a rewrite', () => {
  test('goes by the journal from the beginning, and reads no documents', async () => {
    await put('a');
    const calls: Call[] = [];
    const [written] = await put('b');
    const version = await aWriter((call, send) => {
      calls.push(call);
      return send();
    }).rewrite(envId);
    expect(version).toBe(written?.updatedAt);
    const read = calls
      .filter(({ name }) => name === 'Query')
      .map(({ input }) => input.ExpressionAttributeValues[':pk'].S);
    expect(read).toEqual([`JOURNAL#${envId}`]);
  });

  test('reads settled documents if the journal does not lead to the version', async () => {
    await put('a');
    effects.clock.now += 60_000;
    const [written] = await put('b');
    // An hour later, after the first change's entry has expired.
    const hidden: Intercept = async ({ input }, send) => {
      // biome-ignore lint/suspicious/noExplicitAny: what a query answers.
      const answer = (await send()) as any;
      if (input.ExpressionAttributeValues?.[':pk']?.S?.startsWith('JOURNAL#')) answer.output.Items = [];
      return answer;
    };
    const began = effects.clock.now;
    expect(await aWriter(hidden).rewrite(envId)).toBe(written?.updatedAt);
    expect(effects.clock.now - began).toBeGreaterThan(1_000);
    const { snapshot, hasReadDocuments } = await coldRead();
    expect(snapshot.flags.map(({ document }) => document.key)).toEqual(['a', 'b']);
    expect(hasReadDocuments).toBe(false);
  });

  test('keeps a document that cannot be read as one that cannot be read', async () => {
    await put('a');
    const { client, flags: TableName } = store.tables;
    const docGz = { B: Buffer.from('broken') };
    const Item = { ...keys.flag(envId, 'b'), kind: { S: 'flag' }, updatedAt: { N: '1' }, docGz };
    await client.send(new PutItemCommand({ TableName, Item }));
    const noJournal: Intercept = async ({ input }, send) =>
      input.ExpressionAttributeValues?.[':pk']?.S?.startsWith('JOURNAL#') ? { output: { Items: [] } } : send();
    await aWriter(noJournal).rewrite(envId);
    const stored = await store.documents.snapshot(envId);
    const broken = stored?.documents.find(({ id }) => id === 'b');
    expect(broken && decodeDocument(broken).ok).toBe(false);
  });

  test('never replaces a newer one, and harms it in no way', async () => {
    await put('a');
    await aWriter().rewrite(envId);
    const held = Promise.withResolvers<void>();
    const late = aWriter(async ({ name }, send) => {
      if (name === 'PutItem') await held.promise;
      return send();
    }).rewrite(envId);
    await put('b');
    for (let n = 0; n < 3; n++) await aWriter().rewrite(envId);
    held.resolve();
    await late;
    const { snapshot, hasReadDocuments } = await coldRead();
    expect(snapshot.flags).toHaveLength(2);
    expect(hasReadDocuments).toBe(false);
    expect(await aWriter().oldest(envId)).toEqual({ version: snapshot.version, writtenAt: effects.now() });
  });

  test('leaves the pointer where a newer one has written its chunk and was killed', async () => {
    await put('a');
    await aWriter().rewrite(envId);
    const held = Promise.withResolvers<void>();
    await put('b');
    let isHeld = false;
    const late = aWriter(async ({ name }, send) => {
      if (name === 'PutItem') {
        isHeld = true;
        await held.promise;
      }
      return send();
    }).rewrite(envId);
    await until(() => isHeld);
    await put('c');
    const killed = aWriter(({ input }, send) => {
      if (textIn(input.Item ?? {}, 'sk') === 'POINTER') throw new Error('killed');
      return send();
    });
    await expect(killed.rewrite(envId)).rejects.toThrow('killed');
    held.resolve();
    await late;
    const { snapshot, hasReadDocuments } = await coldRead();
    expect([snapshot.flags.length, hasReadDocuments]).toEqual([3, false]);
  });

  test('reads documents that have settled once', async () => {
    const [written] = await put('a');
    const Key = keys.journal(envId, written?.updatedAt ?? 0);
    await store.tables.client.send(new DeleteItemCommand({ TableName: store.tables.flags, Key }));
    advance(16 * 60_000);
    const pks: string[] = [];
    const writer = aWriter(({ name, input }, send) => {
      if (name === 'Query') pks.push(textIn(input.ExpressionAttributeValues, ':pk'));
      return send();
    });
    expect(await writer.rewrite(envId)).toBe(written?.updatedAt);
    expect(pks.filter((pk) => pk === keys.environment(envId).pk.S)).toHaveLength(1);
  });

  test('ends when its time is over, before it writes', async () => {
    await put('a');
    await expect(aWriter().rewrite(envId, effects.monotonic())).rejects.toThrow('no time is left');
    expect(await aWriter().oldest(envId)).toEqual({ version: 0, writtenAt: 0 });
  });

  test('writes nothing above 1 MB, compressed', async () => {
    const putLarge = (key: string) => {
      const description = randomBytes(130_000).toString('base64');
      return store.documents.writeFlag(envId, key, () => aFlag({ key, description }));
    };
    for (const key of ['a', 'b', 'c', 'd', 'e', 'f']) await putLarge(key);
    expect(await aWriter().rewrite(envId)).toBeDefined();
    for (const key of ['g', 'h', 'i']) await putLarge(key);
    expect(await aWriter().rewrite(envId)).toBeUndefined();
    expect((await coldRead()).snapshot.flags).toHaveLength(9);
  });

  test('leaves nothing of an environment that is deleted meanwhile', async () => {
    await put('a');
    let isFirst = true;
    const writer = aWriter(async ({ name }, send) => {
      if (name === 'PutItem' && isFirst) {
        isFirst = false;
        await store.environments.remove(await store.environments.find(envId));
      }
      return send();
    });
    expect(await writer.rewrite(envId)).toBeUndefined();
    expect(isFirst).toBe(false);
    expect(await countSnapshotItems()).toBe(0);
  });
});

test('an environment is deleted with its snapshot', async () => {
  await put('a');
  for (const key of ['b', 'c']) {
    await aWriter().rewrite(envId);
    await put(key);
  }
  // A pointer and two chunks in each copy.
  expect(await countSnapshotItems()).toBe(3 * SNAPSHOT_COPIES);
  await store.environments.remove(await store.environments.find(envId));
  expect(await countSnapshotItems()).toBe(0);
});
