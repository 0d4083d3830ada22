import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { shardOf } from '../../shared/store/connections.ts';
import { loadDocuments } from '../../shared/store/documents.ts';
import { createEnvironment } from '../../shared/store/environments.ts';
import type { StoredDocument } from '../../shared/store/item.ts';
import { SnapshotCache } from '../../shared/store/snapshotCache.ts';
import type { Ambient, Tables } from '../../shared/store/table.ts';
import { startTestTables, type TestTables, testAmbient } from '../../shared/store/testing/testTables.ts';
import { writeFlag } from '../../shared/store/write.ts';
import { aFlag } from '../../shared/testing/builders.ts';
import { runs } from '../../shared/testing/runs.ts';
import { type CapturedOutput, captureOutput } from '../testing/output.ts';
import { dataSync, idsInShard, pushMessage } from '../testing/service.ts';
import { createSteps, type Steps } from '../testing/steps.ts';
import { StrictSdk } from '../testing/strictSdk.ts';
import { createSync } from '../websocket/sync.ts';
import { createDeliver } from './deliver.ts';

/*
 * Writers, SDKs that connect and reconnect, the queue with its losses and repetitions, and delivery, interleaved step by
 * step at random. Whatever the order, every SDK sees each change once, in order, and ends with what the table holds.
 */

const SHARD = 5;
const CONNECTIONS = idsInShard(SHARD, 12);
let database: TestTables;
let plain: Tables;
let output: CapturedOutput;

beforeAll(async () => {
  database = await startTestTables();
  plain = database.open();
  output = captureOutput();
});
afterAll(async () => {
  output.release();
  await database.close();
});

interface Scenario {
  readonly seed: number;
  readonly writes: number;
  readonly sdks: number;
  readonly reconnects: number;
  /** Bytes of each flag: large ones make answers come in parts. */
  readonly flagBytes: number;
  /** How likely a message of the queue is lost, a post fails, or a message comes twice. */
  readonly trouble: number;
}

class World {
  readonly #scenario: Scenario;
  readonly #steps: Steps;
  readonly #ambient: Ambient;
  readonly #envId: string;
  readonly #sdks: StrictSdk[];
  readonly #queue: StoredDocument[] = [];
  readonly #opened: Tables[] = [];
  readonly #free = [...CONNECTIONS];
  /** Once each: a connection that fails again is not waited for, and there may be no next change to heal it. */
  readonly #failed = new Set<string>();
  #isWritten = false;

  constructor(scenario: Scenario, envId: string, start: number) {
    this.#scenario = scenario;
    this.#envId = envId;
    this.#steps = createSteps(scenario.seed, 15, start);
    this.#ambient = { ...testAmbient(), now: this.#steps.now, random: this.#steps.random, pause: this.#steps.turn };
    this.#sdks = Array.from({ length: scenario.sdks }, () => new StrictSdk());
  }

  async run(): Promise<void> {
    const { run } = this.#steps;
    await run([this.#write(), this.#deliver(), ...this.#sdks.map((sdk) => this.#live(sdk))]);
    const final = await loadDocuments(plain, this.#envId);
    for (const { client } of this.#opened) client.destroy();
    for (const { flags, violations } of this.#sdks) {
      expect(violations).toEqual([]);
      expect(Object.fromEntries(flags)).toEqual(Object.fromEntries(final.map(({ id, updatedAt }) => [id, updatedAt])));
    }
  }

  async #write(): Promise<void> {
    const tables = this.#open();
    for (let n = 0; n < this.#scenario.writes; n++) {
      await this.#steps.turn(this.#steps.random() * 600);
      const key = `flag-${Math.floor(this.#steps.random() * 4)}`;
      const description = 'x'.repeat(this.#scenario.flagBytes);
      const change = () => aFlag({ key, name: String(n), description });
      this.#queue.push(...(await writeFlag(tables, this.#ambient, this.#envId, key, change)));
    }
    this.#isWritten = true;
  }

  async #live(sdk: StrictSdk): Promise<void> {
    for (let n = 0; n <= this.#scenario.reconnects; n++) {
      await this.#steps.turn(this.#steps.random() * 1_200);
      await this.#connect(sdk);
    }
  }

  async #connect(sdk: StrictSdk): Promise<void> {
    const id = this.#free.pop() as string;
    sdk.connection = id;
    sdk.isAnswered = false;
    const tables = this.#open();
    const snapshots = new SnapshotCache(tables, this.#ambient, () => {});
    const sync = createSync({ tables, snapshots, postbox: this.#postbox(0, 'answer'), now: this.#steps.now });
    const { body } = await sync({
      body: dataSync(sdk.cursor),
      requestContext: {
        connectionId: id,
        routeKey: 'data-sync',
        requestTimeEpoch: this.#steps.now(),
        authorizer: { envId: this.#envId, type: 'server' },
      },
    });
    await this.#steps.turn(this.#steps.random() * 200);
    if (body !== undefined) sdk.answer(body);
  }

  /** The queue's one group: some messages at a time, some lost, some twice; what fails is handed in again. */
  async #deliver(): Promise<void> {
    const { trouble } = this.#scenario;
    const tables = this.#open();
    const snapshots = new SnapshotCache(tables, this.#ambient, () => {});
    const { now, random, turn } = this.#steps;
    const queue = { retrySoon: async () => {} };
    const postbox = this.#postbox(trouble, 'push');
    const deliver = createDeliver({ tables, snapshots, postbox, queue, now, pause: turn, postsPerRound: 2 });
    while (!this.#isWritten || this.#queue.length > 0) {
      await turn(random() < 0.5 ? 0 : random() * 400);
      const isLast = this.#isWritten && this.#queue.length === 1;
      if (random() < trouble && !isLast) {
        this.#queue.shift();
        continue;
      }
      const messages = this.#nextMessages();
      const Records = messages.map(({ body }, index) => {
        const attributes = { ApproximateReceiveCount: '1' };
        return { messageId: String(index), receiptHandle: '', attributes, body };
      });
      const { batchItemFailures } = await deliver({ Records }, { getRemainingTimeInMillis: () => random() * 2_000 });
      const isFailed = (index: number) =>
        batchItemFailures.some(({ itemIdentifier }) => itemIdentifier === String(index));
      for (const [index, { count }] of messages.entries()) {
        if (isFailed(index) || random() < trouble) break;
        this.#queue.splice(0, count);
      }
    }
  }

  /** Up to three messages of up to two changes each, from the head of the queue. */
  #nextMessages(): { readonly body: string; readonly count: number }[] {
    const { random } = this.#steps;
    const waiting = this.#queue.map((stored) => ({
      ...stored,
      writtenAt: Math.floor(stored.writtenAt / 1_000) * 1_000,
    }));
    const messages: { body: string; count: number }[] = [];
    for (let n = Math.floor(random() * 3); n >= 0; n--) {
      const [first, ...others] = waiting.splice(0, random() < 0.5 ? 1 : 2);
      if (first) messages.push({ ...pushMessage([first, ...others], SHARD), count: 1 + others.length });
    }
    return messages;
  }

  #postbox(trouble: number, as: 'answer' | 'push') {
    return {
      post: async (id: string, text: string) => {
        expect(shardOf(id)).toBe(SHARD);
        await this.#steps.turn();
        const sdk = this.#sdks.find(({ connection }) => connection === id);
        if (!sdk) return 'gone' as const;
        if (!this.#failed.has(id) && this.#steps.random() < trouble) {
          this.#failed.add(id);
          throw new Error('busy');
        }
        sdk[as](text);
        return 'sent' as const;
      },
    };
  }

  /** Tables every call of which is a step; some are slow. */
  #open(): Tables {
    const { random, turn, step } = this.#steps;
    const tables = database.open(async (_, send) => {
      if (random() < 0.3) await turn(random() * 120);
      return step(send);
    });
    this.#opened.push(tables);
    return tables;
  }
}

const common = {
  seed: fc.integer({ min: 0, max: 2 ** 31 }),
  writes: fc.integer({ min: 1, max: 5 }),
  sdks: fc.integer({ min: 1, max: 3 }),
  reconnects: fc.integer({ min: 0, max: 2 }),
};

async function live(scenario: Scenario): Promise<void> {
  const ambient = testAmbient();
  const { environment } = await createEnvironment(plain, ambient, `env ${ambient.uuid()}`);
  // Long after the environment was made, on a clock of its own.
  await new World(scenario, environment.id, ambient.now() + 3_600_000).run();
}

describe('every SDK sees every change once, in order, and ends where the table is', () => {
  test.each<[string, Record<'flagBytes' | 'trouble', fc.Arbitrary<number>>]>([
    ['where nothing goes wrong', { flagBytes: fc.constant(10), trouble: fc.constant(0) }],
    ['where messages are lost, repeated or not accepted', { flagBytes: fc.constant(10), trouble: fc.constant(0.25) }],
    ['where answers come in parts', { flagBytes: fc.constant(60_000), trouble: fc.constantFrom(0, 0.25) }],
  ])(
    '%s',
    async (_, arbitraries) => {
      const scenarios = fc.record({ ...common, ...arbitraries });
      await fc.assert(fc.asyncProperty(scenarios, live), { numRuns: runs(40), endOnFailure: true });
    },
    120_000,
  );
});
