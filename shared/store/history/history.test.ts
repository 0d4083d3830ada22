import { randomBytes } from 'node:crypto';
import { DeleteItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { asDeleted } from '../../flags/deletion.ts';
import { type Flag, parseFlag } from '../../flags/flag.ts';
import { IN_SEGMENT } from '../../flags/rule.ts';
import type { Segment } from '../../flags/segment.ts';
import { formatTimestamp } from '../../flags/timestamp.ts';
import { systemEffects } from '../../runtime/effects.ts';
import { aCondition, aFlag, aRule, aSegment } from '../../testing/builders.ts';
import type { HistoryEntry } from '../documents/historyEntry.ts';
import { requireDocument, type StoredDocument } from '../documents/item.ts';
import { type FlagStore, openStore } from '../store.ts';
import { keys } from '../table/keys.ts';
import { readItem } from '../table/read.ts';
import { database, useTables } from '../testing/testStore.ts';
import type { Change } from './history.ts';

const START = Date.parse('2024-01-01T00:00:00Z');
let store: FlagStore;
let now = START;
let command = '';
let signedBy: string | undefined;

useTables();
beforeAll(() => {
  const effects = { ...systemEffects, now: () => now };
  store = openStore(database.open(effects).tables, effects, async () => ({ by: 'ann@laptop', command, signedBy }));
});

const newEnvironment = async () => {
  now += 1_000;
  return (await store.environments.create(`e${now}`)).environment;
};

const putFlag = (envId: string, key: string, fields: Parameters<typeof aFlag>[0] = {}) => {
  now += 1_000;
  return store.documents.writeFlag(envId, key, (flag) => ({ ...(flag ?? aFlag({ key })), ...fields }));
};

const entriesOf = async (envId: string) => {
  const entries: HistoryEntry[] = [];
  for await (const entry of store.history.entries(envId)) entries.push(entry);
  return entries;
};

const namesAt = async (envId: string, at: number) =>
  Object.fromEntries(
    (await store.history.stateAt(envId, at)).documents
      .map(requireDocument)
      .map(({ document }) => ['key' in document ? document.key : document.id, document.name]),
  );

describe('the history of an environment', () => {
  test('tells who changed what, when, by what, and what it was before', async () => {
    const { id } = await newEnvironment();
    command = 'create f';
    const [created] = await putFlag(id, 'f');
    command = 'rename f';
    await putFlag(id, 'f', { name: 'renamed' });
    await putFlag(id, 'f', { name: 'renamed' });
    const [second, first, ...others] = await entriesOf(id);
    expect(others).toEqual([]);
    expect(first).toMatchObject({ by: 'ann@laptop', command: 'create f', version: created?.updatedAt, previous: 0 });
    expect(first?.documents).toMatchObject([{ kind: 'flag', id: 'f', before: undefined, isFollower: false }]);
    expect(second).toMatchObject({
      command: 'rename f',
      at: now - 1_000,
      previous: first?.version,
      previousAt: first?.at,
    });
    const before = second?.documents[0]?.before;
    expect(before && requireDocument(before).document.name).toBe('A flag');
  });

  test('is written by the same transaction, and ends by the table’s time to live', async () => {
    const { id } = await newEnvironment();
    await store.environments.change({ id }, { historyDays: 30 });
    const effects = { ...systemEffects, now: () => now };
    const failing = database.open(effects, async ({ name }, send) => {
      if (name === 'TransactWriteItems') throw new Error('refused');
      return send();
    });
    await expect(failing.documents.writeFlag(id, 'f', () => aFlag({ key: 'f' }))).rejects.toThrow('refused');
    expect(await entriesOf(id)).toEqual([]);
    const [written] = await putFlag(id, 'f');
    const table = { client: database.open(effects).tables.client, name: database.open(effects).tables.flags, effects };
    const item = await readItem(table, keys.history(id, written?.updatedAt ?? 0));
    expect(item?.['expiresAt']).toEqual({ N: String(Math.floor(now / 1_000) + 30 * 86_400) });
    expect((await store.environments.find(id)).historyDays).toBe(30);
  });

  test('has who was signed in, and takes it from no change that another part was added to', async () => {
    const { id } = await newEnvironment();
    signedBy = 'sub-1';
    const [signed] = await putFlag(id, 'f');
    signedBy = undefined;
    const [other] = await putFlag(id, 'f', { name: 'two' });
    const { client, flags: TableName } = database.open(systemEffects).tables;
    const table = { client, name: TableName, effects: systemEffects };
    const signers = async () => {
      const found: (string | undefined)[] = [];
      for await (const change of store.history.changes(id)) found.push(change.signedBy);
      return found;
    };
    expect(await signers()).toEqual([undefined, 'sub-1']);
    // As an editor could, who may write history but no `signedBy`.
    const part = await readItem(table, keys.history(id, other?.updatedAt ?? 0));
    const Item = { ...part, change: { N: String(signed?.updatedAt) } } as NonNullable<typeof part>;
    await client.send(new PutItemCommand({ TableName, Item }));
    expect(await signers()).toEqual([undefined]);
  });

  test('names flags that only follow a segment, and holds many and large documents', async () => {
    const { id } = await newEnvironment();
    const rules = [aRule([aCondition(IN_SEGMENT, null, '["s"]')])];
    const large = () => randomBytes(150_000).toString('base64');
    const flags = Array.from({ length: 120 }, (_, n) => aFlag({ key: `flag-${n}`, ...(n === 0 ? { rules } : {}) }));
    const documents = flags.map((document) => ({ kind: 'flag' as const, document }));
    await store.documents.import(id, [{ kind: 'segment', document: aSegment({ id: 's' }) }, ...documents]);
    for (const key of ['large-1', 'large-2', 'large-3']) await putFlag(id, key, { description: large() });
    const grown = ['large-1', 'large-2', 'large-3'].map((key) => aFlag({ key, description: large() }));
    const from = now;
    now += 1_000;
    await store.documents.import(
      id,
      grown.map((document) => ({ kind: 'flag' as const, document })),
    );
    await store.documents.writeSegment(id, 's', (segment) => ({
      ...aSegment({ id: 's' }),
      ...segment,
      included: ['u'],
    }));
    const [segment] = await entriesOf(id);
    expect(segment?.documents).toMatchObject([
      { kind: 'segment', id: 's', isFollower: false },
      { kind: 'flag', id: 'flag-0', isFollower: true, before: undefined },
    ]);
    expect((await store.history.stateAt(id, from)).documents).toHaveLength(124);
    expect(await store.history.stateAt(id, START)).toEqual({ version: 0, documents: [] });
  });
});

describe('an environment at a time', () => {
  test('is what it was then', async () => {
    const { id } = await newEnvironment();
    const times: number[] = [now];
    for (const fields of [{ name: 'one' }, { name: 'two' }]) {
      await putFlag(id, 'f', fields);
      times.push(now);
    }
    await putFlag(id, 'g', { name: 'three' });
    expect(await Promise.all(times.map((at) => namesAt(id, at)))).toEqual([{}, { f: 'one' }, { f: 'two' }]);
    expect(await namesAt(id, now)).toEqual({ f: 'two', g: 'three' });
    const { updatedAt: version } = await store.documents.version(id);
    expect(await store.history.stateAt(id, now)).toMatchObject({ version, documents: [{ id: 'f' }, { id: 'g' }] });
  });

  test('is unknown in the future, unless a writer with a fast clock has written then', async () => {
    const { id } = await newEnvironment();
    await putFlag(id, 'f', { name: 'one' });
    const written = now;
    now -= 500;
    expect(await namesAt(id, written)).toEqual({ f: 'one' });
    await expect(namesAt(id, written + 1)).rejects.toThrow(
      `the time is in the future, it is ${formatTimestamp(now)} now`,
    );
    now += 500;
  });

  test('is not told where the history is not all there', async () => {
    const { id } = await newEnvironment();
    await putFlag(id, 'f', { name: 'one' });
    const at = now;
    await putFlag(id, 'f', { name: 'two' });
    const since = now;
    await putFlag(id, 'f', { name: 'three' });
    const [, second] = await entriesOf(id);
    await removeEntry(id, second?.version ?? 0);
    expect(await namesAt(id, since)).toEqual({ f: 'two' });
    await expect(namesAt(id, at)).rejects.toThrow('its history goes back to 2024-01-01T');
  });
});

describe('a change that is taken back', () => {
  test('leaves what was before, and can be taken back itself', async () => {
    const { id } = await newEnvironment();
    await putFlag(id, 'f', { name: 'one' });
    const [changed] = await putFlag(id, 'f', { name: 'two' });
    now += 1_000;
    const [undone] = await store.history.undo(id, changed?.updatedAt ?? 0);
    expect(await namesAt(id, now)).toEqual({ f: 'one' });
    now += 1_000;
    await store.history.undo(id, undone?.updatedAt ?? 0);
    expect(await namesAt(id, now)).toEqual({ f: 'two' });
  });

  test('archives what it made', async () => {
    const { id } = await newEnvironment();
    const [created] = await putFlag(id, 'f');
    await store.history.undo(id, created?.updatedAt ?? 0);
    const stored = await store.documents.find(id, 'flag', 'f');
    expect(stored && 'text' in stored.body && parseFlag(JSON.parse(stored.body.text))).toMatchObject({
      value: { isArchived: true },
    });
  });

  test('is refused where that would lose another', async () => {
    const { id } = await newEnvironment();
    const [created] = await putFlag(id, 'f');
    await putFlag(id, 'f', { name: 'two' });
    await expect(store.history.undo(id, created?.updatedAt ?? 0)).rejects.toThrow(
      /later changes would be lost: flag "f" \(2024/,
    );
    await expect(store.history.undo(id, 1)).rejects.toThrow('there is no change 1970-01-01T00:00:00.001Z');
    expect(await namesAt(id, now)).toEqual({ f: 'two' });
  });

  test('is not held up by a new version that the flag got for a segment', async () => {
    const { id } = await newEnvironment();
    const rules = [aRule([aCondition(IN_SEGMENT, null, '["s"]')])];
    await store.documents.writeSegment(id, 's', () => aSegment({ id: 's' }));
    await putFlag(id, 'f', { rules, name: 'one' });
    const [changed] = await putFlag(id, 'f', { name: 'two' });
    await store.documents.writeSegment(id, 's', () => aSegment({ id: 's', included: ['u'] }));
    await store.history.undo(id, changed?.updatedAt ?? 0);
    expect((await namesAt(id, now))['f']).toBe('one');
  });
});

const removeFlag = (envId: string, key: string) => {
  now += 1_000;
  return store.documents.writeFlag(envId, key, (flag) => asDeleted(flag as Flag));
};

const putSegment = (envId: string, fields: Partial<Segment>) => {
  now += 1_000;
  const id = fields.id ?? 'a-segment';
  return store.documents.writeSegment(envId, id, (segment) => ({ ...aSegment({ id }), ...segment, ...fields }));
};

const versionOf = ([first]: readonly StoredDocument[]) => first?.updatedAt ?? 0;

const undo = (envId: string, written: readonly StoredDocument[] | number) => {
  now += 1_000;
  return store.history.undo(envId, typeof written === 'number' ? written : versionOf(written));
};

const stateOf = async (envId: string, kind: 'flag' | 'segment', id: string) => {
  const stored = await store.documents.find(envId, kind, id);
  return stored && requireDocument(stored).document;
};

describe('a change below others', () => {
  test('is undone once those are, and undoing it again changes nothing', async () => {
    const { id } = await newEnvironment();
    await putFlag(id, 'f', { name: 'one' });
    const second = await putFlag(id, 'f', { name: 'two' });
    const third = await putFlag(id, 'f', { name: 'three' });
    const fourth = await putFlag(id, 'f', { name: 'four' });
    await expect(undo(id, second)).rejects.toThrow(formatTimestamp(versionOf(fourth)));
    await undo(id, fourth);
    // What made the present state is named: neither what was undone nor the undo.
    await expect(undo(id, second)).rejects.toThrow(formatTimestamp(versionOf(third)));
    await undo(id, third);
    await undo(id, second);
    expect(await namesAt(id, now)).toEqual({ f: 'one' });
    expect(await undo(id, second)).toEqual([]);
  });

  test('is refused for a deletion while another flag has the key, with the way out', async () => {
    const { id } = await newEnvironment();
    await putFlag(id, 'f', { id: 'first', name: 'one' });
    const deleted = await removeFlag(id, 'f');
    await putFlag(id, 'f', { id: 'second', name: 'two' });
    await expect(undo(id, deleted)).rejects.toThrow(
      'another flag, named "two", has the key "f" now. Delete that flag first, then repeat the undo',
    );
    await removeFlag(id, 'f');
    await undo(id, deleted);
    expect(await stateOf(id, 'flag', 'f')).toMatchObject({ id: 'first', name: 'one', isArchived: false });
  });

  test('is undone for a deletion after the flag that took its key is undone', async () => {
    const { id } = await newEnvironment();
    await putFlag(id, 'f', { id: 'first' });
    const deleted = await removeFlag(id, 'f');
    await undo(id, await putFlag(id, 'f', { id: 'second' }));
    await undo(id, deleted);
    expect(await stateOf(id, 'flag', 'f')).toMatchObject({ id: 'first', isArchived: false });
  });
});

describe('a change of several transactions', () => {
  const flags = Array.from({ length: 120 }, (_, n) => aFlag({ key: `f${n}` }));
  const importAll = (envId: string) => {
    now += 1_000;
    return store.documents.import(
      envId,
      flags.map((document) => ({ kind: 'flag', document })),
    );
  };
  const rename = (envId: string) => {
    now += 1_000;
    return store.documents.writeAll(envId, (all) =>
      all.map((each) => ({ kind: 'flag', document: { ...(each.document as Flag), name: 'renamed' } })),
    );
  };

  test.each([0, 119])('is one change in the history, undone whole by any version: of document %d', async (n) => {
    const { id } = await newEnvironment();
    await importAll(id);
    const written = await rename(id);
    expect(await entriesOf(id)).toHaveLength(4);
    const changes: Change[] = [];
    for await (const change of store.history.changes(id)) changes.push(change);
    expect(changes.map(({ documents }) => documents.length)).toEqual([120, 120]);
    expect(await undo(id, written[n]?.updatedAt ?? 0)).toHaveLength(120);
    expect(new Set(Object.values(await namesAt(id, now)))).toEqual(new Set(['A flag']));
  });

  test('is not undone where one of its flags was changed since', async () => {
    const { id } = await newEnvironment();
    await importAll(id);
    const written = await rename(id);
    await putFlag(id, 'f0', { name: 'other' });
    await expect(undo(id, written)).rejects.toThrow('flag "f0"');
    await expect(undo(id, written.at(-1)?.updatedAt ?? 0)).rejects.toThrow('flag "f0"');
  });

  test('is undone by another undo if it was undone in part', async () => {
    const { id } = await newEnvironment();
    await importAll(id);
    const written = await rename(id);
    let transactions = 0;
    const effects = { ...systemEffects, now: () => now };
    const failing = database.open(effects, async ({ name }, send) => {
      if (name === 'TransactWriteItems' && ++transactions === 2) throw new Error('refused');
      return send();
    });
    now += 1_000;
    await expect(failing.history.undo(id, versionOf(written))).rejects.toThrow('a part of the change was written');
    expect((await undo(id, written)).length).toBeLessThan(120);
    expect(new Set(Object.values(await namesAt(id, now)))).toEqual(new Set(['A flag']));
  });
});

describe('undoing a change of a segment', () => {
  const deleteSegment = (envId: string, id: string) => putSegment(envId, { id, isArchived: true, isDeleted: true });
  const refused = 'segment "1" cannot have its name "Beta" back: a segment named "Beta" already exists; its id is 2';

  test('is refused for a deletion if another segment has the name', async () => {
    const { id } = await newEnvironment();
    await putSegment(id, { id: '1', name: 'Beta' });
    const deleted = await deleteSegment(id, '1');
    await putSegment(id, { id: '2', name: 'Beta' });
    await expect(undo(id, deleted)).rejects.toThrow(`${refused}. Rename or delete that segment first`);
    await putSegment(id, { id: '2', name: 'Other' });
    await undo(id, deleted);
    expect(await stateOf(id, 'segment', '1')).toMatchObject({ name: 'Beta', isArchived: false });
  });

  test('is refused for a new name if another segment has the former one', async () => {
    const { id } = await newEnvironment();
    await putSegment(id, { id: '1', name: 'Beta' });
    const renamed = await putSegment(id, { id: '1', name: 'Old' });
    await putSegment(id, { id: '2', name: 'Beta' });
    await expect(undo(id, renamed)).rejects.toThrow(refused);
  });

  test('is refused for a creation while a flag refers to the segment', async () => {
    const { id } = await newEnvironment();
    const created = await putSegment(id, { id: 's', name: 'Beta' });
    const used = await putFlag(id, 'f', { rules: [aRule([aCondition(IN_SEGMENT, null, '["s"]')])] });
    await expect(undo(id, created)).rejects.toThrow('segment "Beta" cannot be archived: these flags refer to it: f');
    await undo(id, used);
    await undo(id, created);
    expect(await stateOf(id, 'segment', 's')).toMatchObject({ isArchived: true });
  });
});

test('a deleted environment leaves no history', async () => {
  const environment = await newEnvironment();
  await putFlag(environment.id, 'f');
  await store.environments.remove(environment);
  expect(await entriesOf(environment.id)).toEqual([]);
});

async function removeEntry(envId: string, version: number): Promise<void> {
  const { client, flags } = database.open(systemEffects).tables;
  await client.send(new DeleteItemCommand({ TableName: flags, Key: keys.history(envId, version) }));
}

test('holds a change at the instant that names it, however long its write took', async () => {
  const effects = { ...systemEffects, now: () => now++ };
  const ticking = openStore(database.open(effects).tables, effects, async () => ({ by: 'ann@laptop', command }));
  const { id } = await newEnvironment();
  const [created] = await ticking.documents.writeFlag(id, 'f', () => aFlag({ key: 'f', name: '1' }));
  const [renamed] = await ticking.documents.writeFlag(id, 'f', () => aFlag({ key: 'f', name: '2' }));
  await ticking.documents.writeFlag(id, 'f', () => aFlag({ key: 'f', name: '3' }));
  const namesOf = (at = 0) => namesAt(id, at);
  expect([await namesOf(created?.updatedAt), await namesOf(renamed?.updatedAt)]).toEqual([{ f: '1' }, { f: '2' }]);
  expect(await namesOf((renamed?.updatedAt ?? 0) - 1)).toEqual({ f: '1' });
});
