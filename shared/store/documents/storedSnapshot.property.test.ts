import { DeleteItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { aFlag, aSegment } from '../../testing/builders.ts';
import { longRuns } from '../../testing/runs.ts';
import { SnapshotCache } from '../snapshots/snapshotCache.ts';
import { SnapshotWriter } from '../snapshots/snapshotWriter.ts';
import { type Key, keys } from '../table/keys.ts';
import { database, newEnvironment, useTables } from '../testing/testStore.ts';
import { type TestStore, testEffects } from '../testing/testTables.ts';
import type { StoredDocument } from './item.ts';
import { decodeDocument } from './item.ts';
import { SNAPSHOT_COPIES } from './storedSnapshot.ts';

useTables();

/** Events of an environment. Numbers select a flag, an item, or the request at which a writer stops. */
type Step =
  | readonly ['write', number]
  | readonly ['import', number]
  | readonly ['rewrite']
  | readonly ['rewrite, killed at request', number]
  | readonly ['rewrite, stopped at request', number]
  | readonly ['let the stopped go on']
  | readonly ['lose an item of a snapshot', number]
  | readonly ['lose the journal']
  | readonly ['wait'];

const few = fc.nat({ max: 4 });
const requests = fc.nat({ max: 20 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(fc.constant('write' as const), few) },
  fc.tuple(fc.constant('import' as const), few),
  { weight: 3, arbitrary: fc.constant(['rewrite'] as const) },
  { weight: 2, arbitrary: fc.tuple(fc.constant('rewrite, killed at request' as const), requests) },
  { weight: 2, arbitrary: fc.tuple(fc.constant('rewrite, stopped at request' as const), requests) },
  fc.constant(['let the stopped go on'] as const),
  fc.tuple(fc.constant('lose an item of a snapshot' as const), fc.nat()),
  fc.constant(['lose the journal'] as const),
  fc.constant(['wait'] as const),
);

class World {
  readonly #effects = testEffects();
  readonly #stopped: { readonly goOn: () => void; readonly done: Promise<unknown> }[] = [];
  readonly #opened: TestStore[] = [];
  readonly #store = this.#open();
  #envId = '';
  /** The copy to read next. */
  #copy = 0;
  #n = 0;

  async play(steps: readonly Step[]): Promise<void> {
    this.#envId = await newEnvironment(this.#store);
    for (const step of steps) {
      await this.#take(step);
      await this.#compare();
    }
    await this.#take(['let the stopped go on']);
    await this.#compare();
    for (const store of this.#opened) store.close();
  }

  async #take([what, which = 0]: Step): Promise<void> {
    switch (what) {
      case 'write':
        return this.#write(which);
      case 'import': {
        const documents = Array.from({ length: which }, (_, n) => {
          const document = aSegment({ id: `segment-${n}`, name: `name ${++this.#n}` });
          return { kind: 'segment' as const, document };
        });
        await this.#store.documents.import(this.#envId, documents);
        return;
      }
      case 'rewrite':
        await this.#writer().rewrite(this.#envId);
        return;
      case 'rewrite, killed at request':
        await this.#writer(which, () => Promise.reject(new Error('killed')))
          .rewrite(this.#envId)
          .catch(() => {});
        return;
      case 'rewrite, stopped at request':
        return this.#stop(which);
      case 'let the stopped go on':
        for (const { goOn, done } of this.#stopped.splice(0)) {
          goOn();
          await done;
        }
        return;
      case 'lose an item of a snapshot':
        return this.#delete(
          Array.from({ length: SNAPSHOT_COPIES }, (_, n) => keys.snapshotPointer(this.#envId, n)),
          which,
        );
      case 'lose the journal':
        return this.#delete([keys.journal(this.#envId, 0)]);
      case 'wait':
        this.#effects.clock.now += 1_200_000;
    }
  }

  async #write(n: number): Promise<void> {
    this.#effects.clock.now += 5;
    // Some are stored compressed.
    const description = 'x'.repeat(n * 2_000);
    const key = `flag-${n}`;
    await this.#store.documents.writeFlag(this.#envId, key, () => aFlag({ key, description, name: `${++this.#n}` }));
  }

  async #stop(at: number): Promise<void> {
    const [stopped, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const wait = () => {
      stopped.resolve();
      return goOn.promise;
    };
    const done = this.#writer(at, wait)
      .rewrite(this.#envId)
      .catch(() => {});
    await Promise.race([stopped.promise, done]);
    this.#stopped.push({ goOn: goOn.resolve, done });
  }

  /** Deletes all items under partition keys, or one of them. */
  async #delete(families: readonly Key[], which?: number): Promise<void> {
    const { client, flags: TableName } = this.#store.tables;
    const found: Key[] = [];
    for (const { pk } of families) {
      const values = { ':pk': pk };
      const query = { TableName, KeyConditionExpression: 'pk = :pk', ExpressionAttributeValues: values };
      const { Items = [] } = await client.send(new QueryCommand({ ...query, ProjectionExpression: 'pk, sk' }));
      found.push(...(Items as Key[]));
    }
    const chosen = which === undefined ? found : found.slice(which % Math.max(1, found.length)).slice(0, 1);
    for (const key of chosen) await client.send(new DeleteItemCommand({ TableName, Key: key }));
  }

  /** Checks that a starting instance has the current documents, from any copy. */
  async #compare(): Promise<void> {
    const documents = await this.#store.documents.load(this.#envId);
    const { updatedAt } = await this.#store.documents.version(this.#envId);
    for (let copy = 0; copy < SNAPSHOT_COPIES; copy++) {
      this.#copy = copy;
      const { snapshot, version } = await new SnapshotCache(this.#store, () => {}).read(this.#envId);
      expect([version.updatedAt, snapshot.version]).toEqual([updatedAt, updatedAt]);
      const read = [...snapshot.flags, ...snapshot.segments].map(({ document }) => document);
      expect(sorted(read)).toEqual(sorted(documents.map(contentOf)));
    }
  }

  /** @param at the request before which an event happens */
  #writer(at = Number.POSITIVE_INFINITY, happen: () => Promise<void> = async () => {}): SnapshotWriter {
    let n = 0;
    const { client, flags: name } = this.#open(async () => {
      if (n++ === at) await happen();
    }).tables;
    return new SnapshotWriter({ client, name, effects: this.#store.effects });
  }

  #open(before: () => Promise<void> = async () => {}): TestStore {
    const pause = async (ms: number) => {
      this.#effects.clock.now += ms;
    };
    const store = database.open(
      { ...this.#effects, random: () => this.#copy / SNAPSHOT_COPIES, pause },
      async (_, send) => {
        await before();
        return send();
      },
    );
    this.#opened.push(store);
    return store;
  }
}

function contentOf(stored: StoredDocument) {
  const result = decodeDocument(stored);
  if (!result.ok) throw new Error(`${stored.id} cannot be read`);
  return result.value.document;
}

const sorted = (documents: readonly object[]) => documents.map((document) => JSON.stringify(document)).sort();

test('a new instance reads the documents after any writes, losses, kills and delays', async () => {
  const scenarios = fc.array(step, { minLength: 8, maxLength: 16 });
  await fc.assert(
    fc.asyncProperty(scenarios, (steps) => new World().play(steps)),
    { numRuns: longRuns(60), endOnFailure: true },
  );
}, 240_000);
