import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { asDeleted, withoutDeleted } from '../flags/deletion.ts';
import { byKind, documentName } from '../flags/document.ts';
import type { Flag } from '../flags/flag.ts';
import { IN_SEGMENT } from '../flags/rule.ts';
import { aCondition, aFlag, aRule, aSegment } from '../testing/builders.ts';
import { longRuns } from '../testing/runs.ts';
import { requireDocument, type StoredDocument } from './documents/item.ts';
import { SnapshotCache } from './snapshots/snapshotCache.ts';
import { SnapshotWriter } from './snapshots/snapshotWriter.ts';
import { newEnvironment, store, useStore } from './testing/testStore.ts';
import { testEffects } from './testing/testTables.ts';

/*
 * Flags that are created, edited, deleted and restored in any order, while a segment changes. It compares the operators'
 * view with SDKs of three readers: one follows the journal, one starts with a stored snapshot, one without.
 */

type Step =
  | readonly ['create' | 'edit' | 'delete' | 'undo the deletion', number]
  | readonly ['change the segment' | 'store a snapshot'];

const effects = testEffects();
useStore(effects);

const KEYS = ['a', 'b', 'c'];
const which = fc.nat({ max: KEYS.length - 1 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.tuple(fc.constant('create' as const), which) },
  fc.tuple(fc.constant('edit' as const), which),
  { weight: 3, arbitrary: fc.tuple(fc.constant('delete' as const), which) },
  { weight: 2, arbitrary: fc.tuple(fc.constant('undo the deletion' as const), which) },
  fc.constant(['change the segment'] as const),
  fc.constant(['store a snapshot'] as const),
);

class World {
  readonly #envId: string;
  readonly #follower = new SnapshotCache(store, () => {});
  /** The operators' view: the content of each flag. */
  readonly #present = new Map<string, Flag>();
  /** The deleted flags, oldest first, with the version of the deletion. Several can have one key. */
  readonly #deleted: { readonly flag: Flag; readonly version: number }[] = [];
  readonly #ids = new Set<string>();
  readonly #versions = new Map<string, number>();
  #n = 0;

  constructor(envId: string) {
    this.#envId = envId;
  }

  async take([what, n = 0]: Step): Promise<void> {
    const key = KEYS[n] as string;
    const present = this.#present.get(key);
    effects.clock.now += this.#n % 2;
    switch (what) {
      case 'create':
        if (present) return;
        return this.#write(key, (stored) => {
          expect(stored).toBeUndefined();
          const rules = [aRule([aCondition(IN_SEGMENT, null, '["s"]')])];
          return aFlag({ key, id: `id ${++this.#n}`, rules });
        });
      case 'edit':
        if (!present) return;
        return this.#write(key, (stored) => ({ ...(stored as Flag), name: `name ${++this.#n}` }));
      case 'delete': {
        if (!present) return;
        const [written] = await store.documents.writeFlag(this.#envId, key, (stored) => asDeleted(stored as Flag));
        this.#note(written);
        this.#present.delete(key);
        this.#deleted.push({ flag: present, version: written?.updatedAt ?? 0 });
        return;
      }
      case 'undo the deletion': {
        const deletions = this.#deleted.filter(({ flag }) => flag.key === key);
        const deleted = deletions[this.#n % deletions.length];
        if (!deleted) return;
        const undo = store.history.undo(this.#envId, deleted.version);
        if (present) return expect(undo).rejects.toThrow(`has the key "${key}" now`);
        const [written] = await undo;
        expect(written?.updatedAt).toBeGreaterThan(deleted.version);
        this.#note(written);
        this.#present.set(key, deleted.flag);
        this.#deleted.splice(this.#deleted.indexOf(deleted), 1);
        return;
      }
      case 'change the segment':
        await store.documents.writeSegment(this.#envId, 's', () => aSegment({ id: 's', included: [`u${++this.#n}`] }));
        return;
      case 'store a snapshot':
        await new SnapshotWriter({ client: store.tables.client, name: store.tables.flags, effects }).rewrite(
          this.#envId,
        );
    }
  }

  async #write(key: string, change: (stored: Flag | undefined) => Flag): Promise<void> {
    const [written] = await store.documents.writeFlag(this.#envId, key, change);
    this.#note(written);
    const flag = requireDocument(written as StoredDocument).document as Flag;
    // A recreated flag is a different one.
    expect(this.#ids.has(flag.id) && !this.#present.has(key)).toBe(false);
    this.#ids.add(flag.id);
    this.#present.set(key, flag);
  }

  #note(written: StoredDocument | undefined): void {
    const { id = '', updatedAt = 0 } = written ?? {};
    expect(updatedAt).toBeGreaterThan(this.#versions.get(id) ?? 0);
    this.#versions.set(id, updatedAt);
  }

  async compare(): Promise<void> {
    const stored = (await store.documents.load(this.#envId)).map(requireDocument);
    const { flags } = byKind(withoutDeleted(stored));
    expect(contents(flags)).toEqual(contents([...this.#present.values()]));
    for (const cache of [this.#follower, new SnapshotCache(store, () => {})]) {
      const { snapshot } = await cache.read(this.#envId);
      const documents = snapshot.flags.map(({ document }) => documentName({ kind: 'flag', document }));
      expect(documents.toSorted()).toEqual(
        [...new Set([...this.#present.keys(), ...this.#deleted.map(({ flag }) => flag.key)])]
          .map((key) => `flag "${key}"`)
          .toSorted(),
      );
      for (const { document, json } of snapshot.flags) {
        const sent = JSON.parse(json);
        expect(sent).not.toHaveProperty('isDeleted');
        expect(sent.isArchived).toBe(!this.#present.has(document.key));
      }
    }
  }
}

/** Without the fields that the store sets: versions, which a segment's change updates. */
function contents(flags: readonly Flag[]): string[] {
  return flags.map((flag) => JSON.stringify({ ...flag, updatedAt: '' })).toSorted();
}

test('a deletion archives a flag for SDKs, can be undone, and frees its key', async () => {
  const law = fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 14 }), async (steps) => {
    const envId = await newEnvironment();
    await store.documents.writeSegment(envId, 's', () => aSegment({ id: 's' }));
    const world = new World(envId);
    for (const each of steps) {
      await world.take(each);
      await world.compare();
    }
  });
  await fc.assert(law, { numRuns: longRuns(120) });
}, 240_000);
