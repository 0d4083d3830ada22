import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { replyTo } from '../../delivery/reply.ts';
import { explainFlag } from '../../describe/explain.ts';
import { asDeleted } from '../../flags/deletion.ts';
import { byKind, type Document } from '../../flags/document.ts';
import type { Flag } from '../../flags/flag.ts';
import type { Segment } from '../../flags/segment.ts';
import type { User } from '../../flags/user.ts';
import { documentsArbitrary } from '../../testing/arbitraries/environment.ts';
import { userArbitrary } from '../../testing/arbitraries/user.ts';
import { requireDocument, type StoredDocument } from '../documents/item.ts';
import { SnapshotCache } from '../snapshots/snapshotCache.ts';
import { StoreError } from '../table/errors.ts';
import { database, newEnvironment, store, useStore } from '../testing/testStore.ts';
import { type Intercept, testEffects } from '../testing/testTables.ts';

/*
 * SDKs follow an environment through 500 random changes. Afterwards, each of its versions is evaluated from the history, and
 * compared with what the SDKs had then.
 */

const CHANGES = 500;
const FLAGS = 6;

const effects = testEffects();
useStore(effects);

const ends = ['archive', 'restore', 'delete'] as const;
const step = fc.record({
  what: fc.oneof(
    { weight: 4, arbitrary: fc.constant('put the flag' as const) },
    { weight: 3, arbitrary: fc.constant('put the segment' as const) },
    { weight: 2, arbitrary: fc.constantFrom('toggle', ...ends) },
    fc.constantFrom('archive the segment', 'delete the segment', 'import all', 'undo'),
  ),
  which: fc.nat({ max: 1_000 }),
  /** Milliseconds to the next change. With 0, both are written at the same time. */
  pause: fc.nat({ max: 3 }),
  documents: documentsArbitrary(1),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** A client-side SDK: it syncs from its last version, and keeps what it gets. */
class SyncedSdk {
  readonly #user: User;
  readonly #flags = new Map<string, string>();
  #timestamp = 0;

  constructor(user: User) {
    this.#user = user;
  }

  async sync(cache: SnapshotCache, envId: string): Promise<ReadonlyMap<string, string>> {
    const { snapshot } = await cache.read(envId);
    const reply = replyTo(snapshot, 'client', { timestamp: this.#timestamp, user: this.#user });
    const { eventType, featureFlags } = JSON.parse(reply.text()).data;
    if (eventType === 'full') this.#flags.clear();
    for (const { id, variation, variationId, matchReason, sendToExperiment, timestamp } of featureFlags) {
      this.#flags.set(id, JSON.stringify([variation, variationId, matchReason, sendToExperiment]));
      this.#timestamp = Math.max(this.#timestamp, timestamp);
    }
    return new Map(this.#flags);
  }
}

/** Evaluates all flags as the command line does. */
function evaluateAll(stored: readonly StoredDocument[], user: User): ReadonlyMap<string, string> {
  const { flags, segments } = byKind(stored.map(requireDocument));
  return new Map(
    flags.map((flag) => {
      const { value, variationId, reason, sendToExperiment } = explainFlag(flag, user, segments).result;
      return [flag.key, JSON.stringify([value, variationId, reason, sendToExperiment])];
    }),
  );
}

async function change(envId: string, { what, which, documents }: Step, versions: readonly number[]): Promise<number[]> {
  const key = `flag-${which % FLAGS}`;
  const id = `segment-${which % 3}`;
  const [given] = documents.flags.map((flag) => ({ ...flag, key, id: `${key} ${which}` }));
  const segment = { ...documents.segments[which % (documents.segments.length || 1)], id, name: id } as Segment;
  const stored = (await store.documents.load(envId)).map(requireDocument);
  const flag = byKind(stored).flags.find((each) => each.key === key);
  const present = flag && !flag.isDeleted ? flag : given;
  const edit = (fields: Partial<Flag>) =>
    store.documents.writeFlag(envId, key, () => ({ ...present, ...fields }) as Flag);
  const put = (document: Segment) => store.documents.writeSegment(envId, id, () => document);
  const written = await (() => {
    switch (what) {
      case 'put the flag':
        return edit({ ...given });
      case 'toggle':
        return edit({ isEnabled: !present?.isEnabled });
      case 'archive':
      case 'restore':
        return edit({ isArchived: what === 'archive' });
      case 'delete':
        return edit(asDeleted(present as Flag));
      case 'put the segment':
        return documents.segments.length === 0 ? [] : put(segment);
      case 'archive the segment':
        return documents.segments.length === 0 ? [] : put({ ...segment, isArchived: true });
      case 'delete the segment':
        return documents.segments.length === 0 ? [] : put(asDeleted(segment));
      case 'import all': {
        const flags = documents.flags.map((document): Document => ({ kind: 'flag', document }));
        return store.documents.import(envId, [
          ...documents.segments.map((document): Document => ({ kind: 'segment', document })),
          ...flags,
        ]);
      }
      default:
        return versions.length === 0 ? [] : store.history.undo(envId, versions[which % versions.length] as number);
    }
  })();
  return written.map(({ updatedAt }) => updatedAt);
}

/** Sends each request once, and repeats its response: nothing is written any more. Every past version reads the same pages. */
function onceEach(): Intercept {
  const responses = new Map<string, Promise<unknown>>();
  return ({ name, input }, send) => {
    const request = JSON.stringify([name, input]);
    const response = responses.get(request) ?? send();
    responses.set(request, response);
    return response;
  };
}

test('an evaluation in the past equals what SDKs got', async () => {
  const users = fc.array(userArbitrary, { minLength: 3, maxLength: 3 });
  const steps = fc.array(step, { minLength: CHANGES, maxLength: CHANGES });
  const law = fc.asyncProperty(users, steps, async (all, changes) => {
    const envId = await newEnvironment();
    const cache = new SnapshotCache(store, () => {});
    const sdks = all.map((user) => new SyncedSdk(user));
    const versions: number[] = [];
    const seen = new Map<number, { version: number; flags: ReadonlyMap<string, string>[] }>();
    const note = async () => {
      const flags = await Promise.all(sdks.map((sdk) => sdk.sync(cache, envId)));
      seen.set(effects.clock.now, { version: (await store.documents.version(envId)).updatedAt, flags });
    };
    await note();
    for (const each of changes) {
      effects.clock.now += each.pause;
      try {
        versions.push(...(await change(envId, each, versions)));
      } catch (error) {
        // A refused change, such as an undo that would lose a later one, writes nothing.
        if (!(error instanceof StoreError)) throw error;
      }
      await note();
    }
    expect(new Set(versions).size).toBeGreaterThan(CHANGES / 4);
    const { history } = database.open(effects, onceEach());
    for (const [at, { version, flags }] of seen) {
      const past = await history.stateAt(envId, at);
      expect(past.version).toBe(version);
      expect([at, all.map((user) => evaluateAll(past.documents, user))]).toEqual([at, flags]);
    }
  });
  await fc.assert(law, { numRuns: 1, endOnFailure: true });
}, 240_000);
