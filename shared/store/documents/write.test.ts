import { randomBytes } from 'node:crypto';
import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { describe, expect, test } from '@jest/globals';
import { asDeleted } from '../../flags/deletion.ts';
import type { Document } from '../../flags/document.ts';
import type { Flag } from '../../flags/flag.ts';
import { IN_SEGMENT } from '../../flags/rule.ts';
import type { Segment } from '../../flags/segment.ts';
import { aCondition, aFlag, aRule, aSegment } from '../../testing/builders.ts';
import { DocumentTooLarge, InvalidDocument, NotFound } from '../table/errors.ts';
import { keys } from '../table/keys.ts';
import { database, newEnvironment, store, useStore } from '../testing/testStore.ts';
import { type TestStore, testEffects, writeUnchecked } from '../testing/testTables.ts';
import { requireDocument } from './item.ts';

const effects = testEffects();

useStore(effects);

const referringTo = (key: string, ...segments: string[]): Flag =>
  aFlag({ key, rules: [aRule([aCondition(IN_SEGMENT, '', JSON.stringify(segments))])] });
const put = (envId: string, flag: Flag) => store.documents.writeFlag(envId, flag.key, () => flag);
const putSegment = (envId: string, segment: Segment) => store.documents.writeSegment(envId, segment.id, () => segment);

describe('a flag', () => {
  test('is created, changed from what is stored, and left alone when nothing changes', async () => {
    const envId = await newEnvironment();
    expect(await put(envId, aFlag({ key: 'f' }))).toHaveLength(1);
    const seen: (Flag | undefined)[] = [];
    const changed = await store.documents.writeFlag(envId, 'f', (flag) => {
      seen.push(flag);
      return { ...(flag as Flag), isEnabled: false };
    });
    expect(seen).toMatchObject([{ key: 'f', isEnabled: true, envId }]);
    expect(changed.map(requireDocument)).toMatchObject([{ document: { isEnabled: false } }]);

    const { updatedAt } = await store.documents.version(envId);
    expect(await store.documents.writeFlag(envId, 'f', (flag) => flag as Flag)).toEqual([]);
    expect((await store.documents.version(envId)).updatedAt).toBe(updatedAt);
  });

  test('takes the present time, whatever it says itself', async () => {
    const envId = await newEnvironment();
    const [written] = await put(envId, aFlag({ key: 'f', updatedAt: '2020-01-01T00:00:00.000Z' }));
    expect(written?.updatedAt).toBe(effects.now());
  });

  test.each([
    ['is not valid', { variations: [] }, 'variations: must have at least one variation'],
    ['has another key', { key: 'g' }, 'flag "f" cannot become "g"'],
    [
      'has too many large regular expressions',
      { rules: [aRule(Array.from({ length: 11 }, () => aCondition('a', 'MatchRegex', 'x{1000}'.repeat(5))))] },
      'flag "f" would not be valid: its regular expressions have more than 50000 characters with their repeats written out',
    ],
  ])('is refused without a write if it %s', async (_, fields, message) => {
    const envId = await newEnvironment();
    await put(envId, aFlag({ key: 'f' }));
    await put(envId, aFlag({ key: 'g' }));
    const before = await store.documents.load(envId);
    const change = store.documents.writeFlag(envId, 'f', (flag) => ({ ...(flag as Flag), ...fields }));
    await expect(change).rejects.toThrow(InvalidDocument);
    await expect(change).rejects.toThrow(message);
    expect(await store.documents.load(envId)).toEqual(before);
  });

  test('is refused by its errors, a line each, without warnings', async () => {
    const envId = await newEnvironment();
    const flag = aFlag({
      key: 'f',
      disabledVariationId: 'nobody',
      variationType: 1 as never,
      isEnabled: 'yes' as never,
    });
    const [first, ...lines] = await put(envId, flag).then(
      () => [],
      ({ message }: Error) => message.split('\n  '),
    );
    expect(first).toBe('flag "f" would not be valid; nothing was written:');
    expect(lines.map((line) => line.split(':')[0]).sort()).toEqual(['isEnabled', 'variationType']);
  });

  test('is refused by name without a write if it is too large for the table', async () => {
    const envId = await newEnvironment();
    const write = put(envId, aFlag({ key: 'huge', description: randomBytes(600_000).toString('base64') }));
    await expect(write).rejects.toThrow(DocumentTooLarge);
    await expect(write).rejects.toThrow(/flag "huge" takes \d+ bytes in the table/);
    expect(await store.documents.load(envId)).toEqual([]);
    expect((await store.documents.version(envId)).updatedAt).toBe(0);
  });

  test('is stored up to almost the limit of the table', async () => {
    const envId = await newEnvironment();
    const description = randomBytes(380_000).toString('base64');
    await put(envId, aFlag({ key: 'large', description }));
    const [stored] = await store.documents.load(envId);
    expect(stored && requireDocument(stored).document).toMatchObject({ description });
  });

  test('may be refused by whoever changes it', async () => {
    const envId = await newEnvironment();
    const change = store.documents.writeFlag(envId, 'f', () => {
      throw new NotFound('there is no such flag');
    });
    await expect(change).rejects.toThrow('there is no such flag');
  });

  test('is refused for an unknown environment', async () => {
    await expect(put(effects.uuid(), aFlag())).rejects.toThrow(NotFound);
  });
});

describe('a flag with a key of all JavaScript objects', () => {
  const unusable = aFlag({ key: 'toString' });

  test.each<[string, (envId: string) => Promise<unknown>]>([
    ['alone', (envId) => put(envId, unusable)],
    ['with others', (envId) => store.documents.writeAll(envId, () => [{ kind: 'flag', document: unusable }])],
    ['by an import', (envId) => store.documents.import(envId, [{ kind: 'flag', document: unusable }])],
    ['as deleted', (envId) => store.documents.import(envId, [{ kind: 'flag', document: asDeleted(unusable) }])],
  ])('is not created %s', async (_, write) => {
    const envId = await newEnvironment();
    await expect(write(envId)).rejects.toThrow(InvalidDocument);
    await expect(write(envId)).rejects.toThrow(/^flag "toString" would not be valid: the key is a property of all/);
    expect(await store.documents.load(envId)).toEqual([]);
  });

  test('can be changed, deleted and restored where it is stored already', async () => {
    const envId = await newEnvironment();
    await writeUnchecked(store, envId, { kind: 'flag', document: unusable });
    const change = (fields: Partial<Flag>) =>
      store.documents.writeFlag(envId, 'toString', (flag) => ({ ...(flag ?? unusable), ...fields }));
    expect(await change({ isEnabled: false })).toHaveLength(1);
    const [deleted] = await change({ isArchived: true, isDeleted: true });
    await expect(change({ id: 'another' })).rejects.toThrow(InvalidDocument);
    expect(await store.history.undo(envId, deleted?.updatedAt ?? 0)).toHaveLength(1);
  });
});

describe('a document with half of a character', () => {
  const cut = aFlag({ key: 'f', name: 'sale \ud83c' });

  test.each<[string, (envId: string) => Promise<unknown>]>([
    ['alone', (envId) => put(envId, cut)],
    ['with others', (envId) => store.documents.writeAll(envId, () => [{ kind: 'flag', document: cut }])],
    ['by an import', (envId) => store.documents.import(envId, [{ kind: 'flag', document: cut }])],
    ['as a segment', (envId) => putSegment(envId, aSegment({ id: 's', included: ['\udf55'] }))],
  ])('is not written %s', async (_, write) => {
    const envId = await newEnvironment();
    await expect(write(envId)).rejects.toThrow(InvalidDocument);
    await expect(write(envId)).rejects.toThrow(/would not be valid: (name|included\[0\]) has half of a character/);
    expect(await store.documents.load(envId)).toEqual([]);
  });

  test('is read with U+FFFD where it is stored already, can be changed, and its deletion undone', async () => {
    const envId = await newEnvironment();
    await writeUnchecked(store, envId, { kind: 'flag', document: cut });
    const read = async () => (await store.documents.load(envId)).map((each) => requireDocument(each).document);
    expect(await read()).toMatchObject([{ name: 'sale \ufffd' }]);
    const change = (fields: Partial<Flag>) =>
      store.documents.writeFlag(envId, 'f', (flag) => ({ ...(flag ?? cut), ...fields }));
    const [deleted] = await change({ isArchived: true, isDeleted: true });
    await store.history.undo(envId, deleted?.updatedAt ?? 0);
    expect(await read()).toMatchObject([{ name: 'sale \ufffd', isArchived: false }]);
  });
});

describe('a segment that no message can carry', () => {
  const users = (count: number) => Array.from({ length: count }, (_, n) => `user-${n}`.padEnd(33, '.'));
  const large: Document = { kind: 'segment', document: aSegment({ id: 's', name: 'beta', included: users(6_000) }) };

  test.each<[string, (envId: string) => Promise<unknown>]>([
    ['alone', (envId) => putSegment(envId, large.document as Segment)],
    ['with others', (envId) => store.documents.writeAll(envId, () => [large])],
    ['by an import', (envId) => store.documents.import(envId, [large])],
  ])('is refused by name, with its size and the limit, %s', async (_, write) => {
    const envId = await newEnvironment();
    await expect(write(envId)).rejects.toThrow(DocumentTooLarge);
    await expect(write(envId)).rejects.toThrow(
      /^segment "beta" takes 216\d{3} bytes in a message, more than the limit of 131072/,
    );
    expect(await store.documents.load(envId)).toEqual([]);
  });

  test('can be made smaller, changed, deleted and restored if it is stored, and does not grow', async () => {
    const envId = await newEnvironment();
    await writeUnchecked(store, envId, large);
    const change = (fields: Partial<Segment>) =>
      store.documents.writeSegment(envId, 's', (segment) => ({ ...(segment as Segment), ...fields }));
    await expect(change({ included: users(6_001) })).rejects.toThrow(DocumentTooLarge);
    expect(await change({ name: 'new' })).toHaveLength(1);
    const [smaller] = await change({ included: users(10) });
    await expect(store.history.undo(envId, smaller?.updatedAt ?? 0)).rejects.toThrow(DocumentTooLarge);
    expect(await change({ included: users(3_000) })).toHaveLength(1);
    await writeUnchecked(store, envId, large);
    const [deleted] = await change({ isArchived: true, isDeleted: true });
    expect(await store.history.undo(envId, deleted?.updatedAt ?? 0)).toHaveLength(1);
  });

  test('is like a flag, which can still be turned off, archived and restored', async () => {
    const envId = await newEnvironment();
    const targetUsers = [{ keyIds: users(6_000), variationId: aFlag().variations[0]?.id ?? '' }];
    await writeUnchecked(store, envId, { kind: 'flag', document: aFlag({ key: 'f', isEnabled: true, targetUsers }) });
    for (const fields of [{ isEnabled: false }, { isEnabled: true }, { isArchived: true }, { isArchived: false }]) {
      const change = store.documents.writeFlag(envId, 'f', (flag) => ({ ...(flag as Flag), ...fields }));
      expect(await change).toHaveLength(1);
    }
  });
});

describe('a segment', () => {
  test('is written before each flag that refers to it if its members change', async () => {
    const envId = await newEnvironment();
    await putSegment(envId, aSegment({ id: 's' }));
    await put(envId, referringTo('newer', 's'));
    await put(envId, referringTo('older', 'other', 's'));
    await put(envId, aFlag({ key: 'unrelated' }));
    const written = await putSegment(envId, aSegment({ id: 's', included: ['u1'] }));
    expect(written.map(({ kind, id }) => `${kind} ${id}`)).toEqual(['segment s', 'flag newer', 'flag older']);
    const versions = written.map(({ updatedAt }) => updatedAt);
    expect(versions).toEqual([...new Set(versions)].toSorted((a, b) => a - b));
    expect(written.map(({ previous }) => previous).slice(1)).toEqual(versions.slice(0, -1));
    expect(requireDocument(written[1] as (typeof written)[0]).document).toMatchObject({ key: 'newer', rules: [{}] });
  });

  test('touches no flag if it is renamed or archived', async () => {
    const envId = await newEnvironment();
    await putSegment(envId, aSegment({ id: 's' }));
    await put(envId, referringTo('f', 's'));
    expect(await putSegment(envId, aSegment({ id: 's', name: 'new' }))).toHaveLength(1);
    expect(await putSegment(envId, aSegment({ id: 's', name: 'new', isArchived: true }))).toHaveLength(1);
  });

  test('is finished in several transactions, or by the next write, if many flags follow', async () => {
    const envId = await newEnvironment();
    await putSegment(envId, aSegment({ id: 's' }));
    for (let n = 0; n < 120; n++) await put(envId, referringTo(`flag-${n}`, 's'));

    let transactions = 0;
    const failing = database.open(effects, async ({ name }, send) => {
      if (name === 'TransactWriteItems' && ++transactions === 2) throw new Error('the cable was pulled');
      return send();
    });
    const change = (on: TestStore) =>
      on.documents.writeSegment(envId, 's', () => aSegment({ id: 's', included: ['u1'] }));
    await expect(change(failing)).rejects.toThrow('the cable was pulled');
    const { updatedAt: interruptedAt } = await store.documents.version(envId);

    const paid = await putSegment(envId, aSegment({ id: 'another' }));
    expect(paid).toHaveLength(1 + 120 - 93);
    expect(paid.every(({ updatedAt }) => updatedAt > interruptedAt)).toBe(true);
    const documents = await store.documents.load(envId);
    const segment = documents.find(({ id }) => id === 's');
    expect(segment?.targetedAt).toBe(segment?.updatedAt);
    for (const { kind, updatedAt } of documents) {
      if (kind === 'flag') expect(updatedAt).toBeGreaterThan(segment?.targetedAt ?? Number.NaN);
    }
    expect(await change(store)).toEqual([]);
  });

  test('is changed in the light of all other documents', async () => {
    const envId = await newEnvironment();
    await putSegment(envId, aSegment({ id: 's' }));
    await put(envId, referringTo('f', 's'));
    const archive = store.documents.writeSegment(envId, 's', (segment, all) => {
      const flags = all.filter(({ kind }) => kind === 'flag').map(({ document }) => (document as Flag).key);
      if (flags.length > 0) throw new InvalidDocument(`flags ${flags} refer to it`);
      return { ...(segment as Segment), isArchived: true };
    });
    await expect(archive).rejects.toThrow('flags f refer to it');
  });

  test('is changed from what is stored of it, and of it alone', async () => {
    const envId = await newEnvironment();
    await put(envId, aFlag({ key: 's', id: 's' }));
    for (const id of ['r', 's', 't']) await putSegment(envId, aSegment({ id, name: `named ${id}` }));
    const seen: unknown[] = [];
    for (const id of ['s', 'u']) {
      await store.documents.writeSegment(envId, id, (segment) => {
        seen.push(segment?.name);
        return segment ?? aSegment({ id });
      });
    }
    expect(seen).toEqual(['named s', undefined]);
  });

  test('cannot change its id or be made invalid', async () => {
    const envId = await newEnvironment();
    const write = (segment: Segment) => store.documents.writeSegment(envId, 's', () => segment);
    await expect(write(aSegment({ id: 't' }))).rejects.toThrow('segment "s" cannot become "t"');
    await expect(write(aSegment({ id: 's', updatedAt: 'soon' }))).rejects.toThrow(InvalidDocument);
    expect(await store.documents.load(envId)).toEqual([]);
  });
});

describe('a deleted document', () => {
  const remove = (envId: string, key: string) =>
    store.documents.writeFlag(envId, key, (flag) => asDeleted(flag as Flag));

  test('is given to a change apart, and makes place for a new document', async () => {
    const envId = await newEnvironment();
    await put(envId, aFlag({ key: 'f', id: 'first' }));
    const [deleted] = await remove(envId, 'f');
    const seen: unknown[] = [];
    const [created] = await store.documents.writeFlag(envId, 'f', (...given) => {
      seen.push(...given);
      return aFlag({ key: 'f', id: 'second' });
    });
    expect(seen).toEqual([undefined, expect.objectContaining({ id: 'first', isArchived: true, isDeleted: true })]);
    expect(created?.updatedAt).toBeGreaterThan(deleted?.updatedAt ?? Number.NaN);
    expect((await store.documents.load(envId)).map(requireDocument)).toMatchObject([{ document: { id: 'second' } }]);
  });

  test('is absent for changes and checks if it is a segment', async () => {
    const envId = await newEnvironment();
    await putSegment(envId, aSegment({ id: 's' }));
    await put(envId, aFlag({ key: 'f' }));
    await remove(envId, 'f');
    await store.documents.writeSegment(envId, 's', (segment) => asDeleted(segment as Segment));
    const seen: unknown[] = [];
    await store.documents.writeSegment(envId, 's', (...given) => {
      seen.push(...given);
      return aSegment({ id: 's', name: 'new' });
    });
    expect(seen).toEqual([undefined, []]);
  });

  test('gets no new version with a segment, so that its version still names the deletion', async () => {
    const envId = await newEnvironment();
    await putSegment(envId, aSegment({ id: 's' }));
    await put(envId, referringTo('f', 's'));
    const [deleted] = await remove(envId, 'f');
    expect(await putSegment(envId, aSegment({ id: 's', included: ['u'] }))).toHaveLength(1);
    const [undone] = await store.history.undo(envId, deleted?.updatedAt ?? 0);
    expect(undone && requireDocument(undone).document).toMatchObject({ key: 'f', isArchived: false });
    expect(undone && requireDocument(undone).document).not.toHaveProperty('isDeleted');
  });
});

describe('several documents', () => {
  test('are one change, made from all that is stored', async () => {
    const envId = await newEnvironment();
    for (const key of ['a', 'b', 'c']) await put(envId, aFlag({ key }));
    const written = await store.documents.writeAll(envId, (all) =>
      all.flatMap((each) =>
        each.kind === 'flag' && each.document.key !== 'b' ? [{ kind: 'flag', document: asDeleted(each.document) }] : [],
      ),
    );
    expect(written.map(({ id }) => id)).toEqual(['a', 'c']);
    const undone = await store.history.undo(envId, written.at(-1)?.updatedAt ?? 0);
    expect(undone.map(({ id }) => id)).toEqual(['a', 'c']);
    expect(await store.documents.writeAll(envId, (all) => all)).toEqual([]);
  });

  test('are refused where one is not valid, and nothing is written', async () => {
    const envId = await newEnvironment();
    const write = store.documents.writeAll(envId, () => [
      { kind: 'flag', document: aFlag({ key: 'f' }) },
      { kind: 'flag', document: aFlag({ key: 'g', variations: [] }) },
    ]);
    await expect(write).rejects.toThrow(InvalidDocument);
    expect(await store.documents.load(envId)).toEqual([]);
  });

  test('are changed though another one cannot be read, which is never written over', async () => {
    const envId = await newEnvironment();
    await put(envId, aFlag({ key: 'f', isEnabled: true }));
    const Item = { ...keys.flag(envId, 'broken'), kind: { S: 'flag' }, updatedAt: { N: '1' }, doc: { S: '{' } };
    await store.tables.client.send(new PutItemCommand({ TableName: store.tables.flags, Item }));
    const written = await store.documents.writeAll(envId, (all, unreadable) => {
      expect([...unreadable.keys()]).toEqual(['flag "broken"']);
      return all.map(({ document }) => ({ kind: 'flag', document: { ...(document as Flag), isEnabled: false } }));
    });
    expect(written.map(({ id }) => id)).toEqual(['f']);
    const over = store.documents.writeAll(envId, () => [{ kind: 'flag', document: aFlag({ key: 'broken' }) }]);
    await expect(over).rejects.toThrow('flag "broken" in the table is not readable');
  });

  test('are reported if some were written before the change was refused', async () => {
    const envId = await newEnvironment();
    const flags = Array.from({ length: 120 }, (_, n) => aFlag({ key: `f${n}` }));
    let transactions = 0;
    const other = database.open(effects, async ({ name }, send) => {
      // The second transaction finds another version.
      if (name === 'TransactWriteItems' && ++transactions === 2) await put(envId, aFlag({ key: 'other' }));
      return send();
    });
    const write = other.documents.writeAll(envId, () => {
      if (transactions > 0) throw new NotFound('gone');
      return flags.map((document) => ({ kind: 'flag', document }));
    });
    await expect(write).rejects.toThrow(
      /^a part of the change was written \(\d+ flags and segments were\), then: gone/,
    );
  });
});
