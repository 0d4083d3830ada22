import { type AttributeValue, BatchGetItemCommand, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createSteps, type Steps } from '../../../functions/testing/steps.ts';
import type { Effects } from '../../runtime/effects.ts';
import { aFlag } from '../../testing/builders.ts';
import { longRuns } from '../../testing/runs.ts';
import { envIdOfKey, type Key } from '../table/keys.ts';
import { database, store as plain, useStore } from '../testing/testStore.ts';
import { type Call, type Intercept, type TestStore, testEffects } from '../testing/testTables.ts';
import { SnapshotCache } from './snapshotCache.ts';

/*
 * Writers and readers with their own clocks. The table shows a transaction item by item until it is acknowledged: the
 * version first, and then any part of the rest to any query. Requests arrive long after they were sent.
 */

type Item = Record<string, AttributeValue>;

const SETTLED_MS = 1_000;

useStore(testEffects());

interface Scenario {
  readonly seed: number;
  /** The offset of each writer's clock, in milliseconds. */
  readonly writers: readonly number[];
  readonly readers: readonly number[];
  /** Maximum delay of a request, and of a transaction in the table. */
  readonly lateMs: number;
  readonly halfDoneMs: number;
  /** Whether a transaction may begin before all of the previous one is visible. */
  readonly isOverlapping: boolean;
}

class World {
  readonly #scenario: Scenario;
  readonly #envId: string;
  readonly #steps: Steps;
  readonly #opened: TestStore[] = [];
  /** Items before a transaction that is not acknowledged yet. */
  readonly #underway = new Map<string, Item | undefined>();
  /** The acknowledged version of each flag, and its time. */
  readonly #acknowledged: { readonly key: string; readonly updatedAt: number; readonly at: number }[] = [];

  constructor(scenario: Scenario, envId: string, start: number) {
    this.#scenario = scenario;
    this.#envId = envId;
    this.#steps = createSteps(scenario.seed, 15, start);
  }

  async run(): Promise<void> {
    const { writers, readers } = this.#scenario;
    await this.#steps.run([
      ...writers.map((offset) => this.#write(this.#effects(offset))),
      ...readers.map((offset) => this.#read(this.#effects(offset))),
    ]);
    for (const store of this.#opened) store.close();
  }

  #effects(offset: number): Effects {
    const { now, random, turn } = this.#steps;
    return { ...testEffects(), now: () => now() + offset, monotonic: now, random, pause: turn };
  }

  async #write(effects: Effects): Promise<void> {
    const { now, random, turn } = this.#steps;
    const store = this.#open(effects, (call, send) =>
      call.name === 'TransactWriteItems' ? this.#transact(call, send) : this.#steps.step(send),
    );
    for (let n = 0; n < 3; n++) {
      await turn(random() * 2_000);
      const key = `flag-${Math.floor(random() * 3)}`;
      const written = await store.documents.writeFlag(this.#envId, key, () => aFlag({ key, name: effects.uuid() }));
      this.#acknowledged.push(...written.map(({ updatedAt }) => ({ key, updatedAt, at: now() })));
    }
  }

  async #transact({ input }: Call, send: () => Promise<unknown>): Promise<unknown> {
    const { random, step, turn } = this.#steps;
    const { lateMs, halfDoneMs, isOverlapping } = this.#scenario;
    const touched: Key[] = input.TransactItems.map(({ Put }: { Put: { Item: Key } }) => Put.Item);
    const hidden = touched.filter(({ pk }) => !pk.S.startsWith('VERSION#')).map(({ pk, sk }) => ({ pk, sk }));
    await turn(random() * lateMs);
    while (!isOverlapping && this.#underway.size > 0) await turn(5);
    const answer = await step(async () => {
      if (hidden.some((key) => this.#underway.has(nameOf(key)))) throw conflict();
      const get = new BatchGetItemCommand({
        RequestItems: { [plain.tables.flags]: { Keys: hidden, ConsistentRead: true } },
      });
      const before = (await plain.tables.client.send(get)).Responses?.[plain.tables.flags] ?? [];
      const sent = await send();
      for (const key of hidden)
        this.#underway.set(
          nameOf(key),
          before.find((item) => nameOf(item as Key) === nameOf(key)),
        );
      return sent;
    });
    await turn(random() * halfDoneMs);
    for (const key of hidden) this.#underway.delete(nameOf(key));
    return answer;
  }

  async #read(effects: Effects): Promise<void> {
    const { now, random, turn } = this.#steps;
    const store = this.#open(effects, async ({ name }, send) => {
      const answer = (await this.#steps.step(send)) as { output: { Items: Item[] } };
      return name === 'Query'
        ? { ...answer, output: { ...answer.output, Items: this.#halfDone(answer.output.Items) } }
        : answer;
    });
    const cache = new SnapshotCache(store, () => {});
    const allowedMs = this.#scenario.isOverlapping ? SETTLED_MS : 0;
    for (let n = 0; n < 25; n++) {
      await turn(random() < 0.7 ? random() * 300 : random() * 2_500);
      const expected = this.#acknowledged.filter(({ at }) => at <= now() - allowedMs);
      const { snapshot, version } = await cache.read(this.#envId);
      const found = new Map(snapshot.flags.map((flag) => [flag.document.key, flag.updatedAt]));
      for (const { key, updatedAt } of expected) expect(found.get(key) ?? 0).toBeGreaterThanOrEqual(updatedAt);
      expect(version.updatedAt).toBe(snapshot.version);
    }
  }

  /** For each item in a running transaction, the old or the new state. */
  #halfDone(items: readonly Item[]): Item[] {
    return items.flatMap((item) => {
      const name = nameOf(item as Key);
      if (!this.#underway.has(name) || this.#steps.random() < 0.3) return [item];
      const before = this.#underway.get(name);
      return before ? [before] : [];
    });
  }

  #open(effects: Effects, intercept: Intercept): TestStore {
    const store = database.open(effects, intercept);
    this.#opened.push(store);
    return store;
  }
}

function nameOf({ pk, sk }: Key): string {
  return `${envIdOfKey(pk.S)} ${sk.S}`;
}

function conflict(): TransactionCanceledException {
  return new TransactionCanceledException({
    $metadata: {},
    message: 'another transaction is under way',
    CancellationReasons: [{ Code: 'TransactionConflict' }],
  });
}

test.each([
  ['at once', false],
  ['a second later at the latest, where transactions overlap', true],
])(
  'a read after an acknowledged write has it, %s, with any clocks',
  async (_, isOverlapping) => {
    const clocks = fc.array(fc.integer({ min: -5_000, max: 5_000 }), { minLength: 1, maxLength: 3 });
    const scenarios = fc.record({
      seed: fc.integer({ min: 0, max: 2 ** 31 }),
      writers: clocks,
      readers: clocks,
      lateMs: fc.constantFrom(20, 5_000),
      halfDoneMs: fc.constantFrom(20, 400),
      isOverlapping: fc.constant(isOverlapping),
    });
    await fc.assert(
      fc.asyncProperty(scenarios, async (scenario) => {
        const effects = testEffects();
        const { environment } = await plain.environments.create(`env ${effects.uuid()}`);
        await new World(scenario, environment.id, effects.now() + 3_600_000).run();
      }),
      { numRuns: longRuns(30), endOnFailure: true },
    );
  },
  240_000,
);
