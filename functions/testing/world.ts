import type { Effects } from '../../shared/runtime/effects.ts';
import { type Receipt, readReceipt } from '../../shared/store/connections/receipt.ts';
import type { StoredDocument } from '../../shared/store/documents/item.ts';
import { SnapshotCache } from '../../shared/store/snapshots/snapshotCache.ts';
import { numberIn, textIn } from '../../shared/store/table/attributes.ts';
import { keys } from '../../shared/store/table/keys.ts';
import { pagesUnder } from '../../shared/store/table/read.ts';
import { type Call, type TestStore, type TestTables, testEffects } from '../../shared/store/testing/testTables.ts';
import { createDisconnect } from '../websocket/disconnect.ts';
import { createHeal } from '../websocket/heal.ts';
import { createSync } from '../websocket/sync.ts';
import { idsInShard } from './service.ts';
import { createSteps, type Step, type Steps, untilKilled } from './steps.ts';
import { WorldQueue } from './worldQueue.ts';
import type { Scenario } from './worldScenario.ts';
import type { WorldSdk } from './worldSdk.ts';
import { WorldWires } from './worldWires.ts';

const SHARD = 5;
const CONNECTIONS = idsInShard(SHARD, 60);
/** How much rarer writes are if connections need healing, which takes a minute. */
const SLOWER = 50;
/** Maximum number of requests and posts before a sync is killed. */
const LONGEST_SYNC = 24;

/**
 * A random interleaving of writers, SDKs, the queue with losses and repeats, and delivery. It has one environment and
 * one shard.
 */
export class World {
  readonly steps: Steps;
  /** The acknowledged writes, in order. */
  readonly written: StoredDocument[] = [];
  readonly #scenario: Scenario;
  readonly #database: TestTables;
  readonly #plain: TestStore;
  readonly #effects: Effects;
  readonly #envId: string;
  readonly #sdks: readonly WorldSdk[];
  readonly #opened: TestStore[] = [];
  readonly #free = [...CONNECTIONS];
  readonly #queue: WorldQueue;
  readonly #wires: WorldWires;
  /** The current version of each flag. */
  readonly #versions = new Map<string, number>();
  readonly #gaps: string[] = [];
  #isWritten = false;

  private constructor(
    database: TestTables,
    plain: TestStore,
    envId: string,
    start: number,
    scenario: Scenario,
    sdks: readonly WorldSdk[],
  ) {
    this.#scenario = scenario;
    this.#database = database;
    this.#plain = plain;
    this.#envId = envId;
    this.#sdks = sdks;
    this.steps = createSteps(scenario.seed, 15, start);
    this.#queue = new WorldQueue(this.steps.random, SHARD);
    this.#wires = new WorldWires(this.steps, sdks, (sdk) => this.#gaps.push(...sdk.gaps(this.#versions)));
    this.#effects = { ...testEffects(), now: this.steps.now, random: this.steps.random, pause: this.steps.turn };
  }

  /**
   * Runs a scenario to its end.
   *
   * @param live the behavior of each SDK
   * @param atEnd called when everything is quiet
   * @returns the final flags
   */
  static async play(
    database: TestTables,
    scenario: Scenario,
    sdks: readonly WorldSdk[],
    live: (world: World, sdk: WorldSdk) => Promise<void>,
    atEnd: (world: World) => Promise<void> = async () => {},
  ): Promise<readonly StoredDocument[]> {
    const effects = testEffects();
    const plain = database.open(effects);
    const { environment } = await plain.environments.create(`env ${effects.uuid()}`);
    // Long after the environment was created, with its own clock.
    const world = new World(database, plain, environment.id, effects.now() + 3_600_000, scenario, sdks);
    const lives = [world.#write(), world.#deliver(), ...sdks.map((sdk) => live(world, sdk))];
    await world.steps.run([...lives, world.#heal(Promise.all(lives))]);
    await world.steps.run(world.#wires.all());
    await atEnd(world);
    const documents = await plain.documents.load(environment.id);
    for (const store of [plain, ...world.#opened]) store.close();
    if (world.#gaps.length > 0) throw new Error(world.#gaps.join('\n'));
    return documents;
  }

  /** Computes the receipt of a write while others go on. */
  readReceipt({ updatedAt, writtenAt }: StoredDocument, isQuiet = false): Promise<Receipt> {
    const { connections } = isQuiet ? this.#plain : this.#open();
    return readReceipt(connections, this.#plain.hosts, this.#envId, { version: updatedAt, at: writtenAt });
  }

  /** The connections that have rows and opened before a time. */
  async openedUntil(at: number): Promise<readonly string[]> {
    const pk = keys.cursor(this.#envId, SHARD).pk;
    const { client, connections } = this.#plain.tables;
    const table = { client, name: connections, effects: this.#effects };
    const ids: string[] = [];
    for await (const items of pagesUnder(table, pk)) {
      ids.push(
        ...items
          .filter((item) => 'answerId' in item && numberIn(item, 'firstRequestedAt') <= at)
          .map((item) => textIn(item, 'sk')),
      );
    }
    return ids;
  }

  /** Whether a connection was handed a write and all earlier ones. */
  isHanded(connection: string, { updatedAt }: StoredDocument): boolean {
    const handed = this.#wires.handed(connection);
    return this.written.every(
      (write) => write.updatedAt > updatedAt || (handed.get(`flag:${write.id}`) ?? 0) >= write.updatedAt,
    );
  }

  /** Gives an SDK a new connection and sends its data-sync. */
  async connect(sdk: WorldSdk): Promise<void> {
    const id = this.#free.pop() as string;
    sdk.disconnect(this.steps.now());
    sdk.connection = id;
    const context = { envId: this.#envId, type: sdk.rules.type };
    if (this.#scenario.losses) await this.#plain.connections.unanswered.note({ id, since: this.steps.now(), context });
    await this.sync(sdk);
  }

  /** Sends a data-sync on an SDK's connection. Resolves after the reply, unless that has several parts. */
  async sync(sdk: WorldSdk): Promise<void> {
    const { now, random, turn } = this.steps;
    const id = sdk.connection as string;
    // No two writes share a millisecond, because their order would be unknown.
    await turn(1);
    const body = sdk.request(now());
    const number = sdk.cursors.length;
    const isFirst = this.#wires.ask(id, number);
    const { type, patchContents = 'one-item' } = sdk.rules;
    const authorizer = { envId: this.#envId, type, patchContents };
    const requestContext = { connectionId: id, routeKey: 'data-sync', requestTimeEpoch: now(), authorizer };
    await turn(random() * 300);
    const isLost = random() < (this.#scenario.losses ?? 0);
    // A later data-sync leaves no trace if it reaches no function, or a function that is killed before it notes it.
    if (isFirst && isLost && random() < 0.5) return;
    const { living: mortal } = isLost ? untilKilled(Math.floor(random() * LONGEST_SYNC)) : untilKilled();
    let isNoted = isFirst;
    const living: Step = (work) => (isNoted ? mortal(work) : work());
    const store = this.#open(living, ({ name, input }) => {
      if (name === 'PutItem' && input.Item.context) isNoted = true;
    });
    const snapshots = new SnapshotCache(store, () => {});
    const trouble = this.#scenario.losses ? this.#scenario.trouble : 0;
    const sender = {
      post: async (to: string, text: string) => living(() => this.#wires.post(to, text, trouble, number)),
    };
    await createSync({ ...store, snapshots, sender, effects: this.#effects })({ body, requestContext });
  }

  async #write(): Promise<void> {
    const { random, turn } = this.steps;
    const store = this.#open();
    for (let n = 0; n < this.#scenario.writes; n++) {
      await turn(random() * 600 * (this.#scenario.losses ? SLOWER : 1));
      const flag = this.#scenario.flag(n, random);
      const written = await store.documents.writeFlag(this.#envId, flag.key, () => flag);
      this.written.push(...written);
      const shards = await store.connections.occupiedShards(this.#envId);
      if (shards.includes(SHARD)) this.#queue.add(written);
    }
    this.#isWritten = true;
  }

  /** The schedule of healing. It runs until everything is over and no connection waits. */
  async #heal(lives: Promise<unknown>): Promise<void> {
    const { trouble } = this.#scenario;
    const { turn } = this.steps;
    let isOver = false;
    void lives.finally(() => {
      isOver = true;
    });
    const isLeft = async () => (await this.#plain.connections.unanswered.load(1_000)).length > 0;
    while (!isOver || (await isLeft())) {
      await turn(60_000);
      const store = this.#open();
      const snapshots = new SnapshotCache(store, () => {});
      const post = (to: string, text: string) =>
        this.#wires.post(to, text, isOver ? 0 : trouble, this.#wires.asked(to));
      const ender = { end: (id: string) => this.#end(id) };
      const heal = createHeal({ ...store, snapshots, sender: { post }, ender, effects: this.#effects });
      await heal({}, { getRemainingTimeInMillis: () => 60_000 });
    }
  }

  /** Closes a client-side SDK's connection, sometimes without a disconnect event. The SDK reconnects. */
  async #end(id: string): Promise<void> {
    const { now, random, turn } = this.steps;
    await turn();
    const sdk = this.#sdks.find(({ connection }) => connection === id);
    if (!sdk) return;
    if (sdk.rules.type === 'server') throw new Error('a server-side SDK was ended');
    sdk.connection = undefined;
    const told = async () => {
      const authorizer = { envId: this.#envId };
      const requestContext = { connectionId: id, routeKey: '', requestTimeEpoch: now(), authorizer };
      await createDisconnect(this.#open().connections, now)({ requestContext });
    };
    if (random() < 0.5) await told();
    await this.connect(sdk);
  }

  #deliver(): Promise<void> {
    const open = (living: Step) => this.#open(living);
    const [steps, wires, isWritten] = [this.steps, this.#wires, () => this.#isWritten];
    return this.#queue.deliverAll(this.#scenario, { steps, wires, open, isWritten });
  }

  /** A store in which every call is a step. Some calls are slow. */
  #open(living: Step = (work) => work(), onDone: (call: Call) => void = () => {}): TestStore {
    const { random, turn, step } = this.steps;
    const store = this.#database.open(this.#effects, async (call, send) => {
      if (random() < 0.3) await turn(random() * 120);
      const answer = await living(() => step(send));
      onDone(call);
      const { input } = call;
      for (const { Put } of input.TransactItems ?? []) {
        const [, key] = Put?.Item.sk.S.split('FLAG#') ?? [];
        if (key !== undefined) this.#versions.set(key, Number(Put.Item.updatedAt.N));
      }
      return answer;
    });
    this.#opened.push(store);
    return store;
  }
}
