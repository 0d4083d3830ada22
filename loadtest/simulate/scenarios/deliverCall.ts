import type { DeliverySettings } from './deliverySettings.ts';
import type { Times } from './times.ts';
import type { World } from './world.ts';

/** A change on its way to a shard: whom it has not reached. */
export interface ShardMessage {
  readonly environment: number;
  readonly shard: number;
  /** Numbers of the connections, in their order in the table. */
  readonly connections: Uint32Array;
  /** How many of them a delivery has begun with. */
  begun: number;
  /** Those that could not be reached, to be tried once more. */
  behind: number[];
  /** How often it was handed in. */
  received: number;
}

/** What calls need. */
export interface CallParts {
  readonly world: World;
  readonly times: Times;
  readonly settings: DeliverySettings;
  readonly onReached: (connection: number) => void;
  readonly onPostFailed: () => void;
}

/** How a call ended: all was sent, its time was over, or connections could not be reached. */
export type CallEnd = 'served' | 'cut' | 'failed';

/** Bytes of a connection's row and of a page of them (shared/store). */
const ROW_BYTES = 400;
const PAGE_BYTES = 1024 ** 2;
const UNIT_BYTES = 4_096;

/** How far unused turns are kept (functions/push/pace.ts), in milliseconds. */
const TURNS_KEPT_MS = 1_000;

/**
 * One call of deliver, as functions/push has it: reads the shard, sends to its connections in chunks, each message at its
 * turn, some under way at once, and notes after each chunk how far it has come.
 */
export class DeliverCall {
  readonly #parts: CallParts;
  readonly #message: ShardMessage;
  readonly #startedAt: number;
  readonly #onEnd: (end: CallEnd) => void;
  /** Connections to send to in this call: those that are behind, and those not begun with. */
  readonly #waiting: number[];
  readonly #behindBefore: number;
  #next = 0;
  #chunkEnd = 0;
  #underWay = 0;
  #isCut = false;
  #lastTurn = Number.NEGATIVE_INFINITY;
  #processorFreeAt = 0;

  /** @param coldMs until the instance is there */
  constructor(parts: CallParts, message: ShardMessage, coldMs: number, onEnd: (end: CallEnd) => void) {
    this.#parts = parts;
    this.#message = message;
    this.#onEnd = onEnd;
    const { world, times } = parts;
    this.#startedAt = world.events.now + coldMs;
    this.#waiting = [...message.behind, ...message.connections.subarray(message.begun)];
    this.#behindBefore = message.behind.length;
    message.behind = [];
    const bytes = message.connections.length * ROW_BYTES;
    const units = Math.max(1, Math.ceil(bytes / UNIT_BYTES));
    const readMs = times.deliverMs + Math.ceil(bytes / PAGE_BYTES) * times.pageMs;
    const waitMs = world.waitForTable('read', this.#key, units);
    world.events.after(coldMs + readMs + waitMs, this.#beginChunk);
  }

  get #key(): string {
    return `connections ${this.#message.environment} ${this.#message.shard}`;
  }

  readonly #beginChunk = (): void => {
    const { settings } = this.#parts;
    const isFirst = this.#next === 0;
    if (this.#next >= this.#waiting.length || this.#isCut) {
      this.#end();
      return;
    }
    const begin = () => {
      this.#chunkEnd = Math.min(this.#waiting.length, this.#next + settings.postsPerChunk);
      const workers = Math.min(settings.underWay, this.#chunkEnd - this.#next);
      this.#underWay = workers;
      for (let n = 0; n < workers; n++) this.#sendNext();
    };
    if (isFirst) begin();
    else this.#note(begin);
  };

  /** A worker's next connection; when there is none the chunk ends with the last of its workers. */
  #sendNext(): void {
    const { world, settings } = this.#parts;
    const { now } = world.events;
    if (now - this.#startedAt > (settings.timeoutMs * 2) / 3) this.#isCut = true;
    if (this.#isCut || this.#next >= this.#chunkEnd) {
      if (--this.#underWay === 0) this.#beginChunk();
      return;
    }
    const connection = this.#waiting[this.#next++] as number;
    const turnMs = 1_000 / (settings.postsPerSecond / settings.calls);
    this.#lastTurn = Math.max(this.#lastTurn, now - TURNS_KEPT_MS) + turnMs;
    world.events.after(this.#lastTurn - now, (subject) => this.#post(subject, 0), connection);
  }

  #post(connection: number, retries: number): void {
    const { world, times, settings } = this.#parts;
    const { events, usage, random } = world;
    this.#processorFreeAt = Math.max(this.#processorFreeAt, events.now) + times.postMs;
    events.after(this.#processorFreeAt - events.now, () => {
      usage.posts++;
      if (world.takeRequest()) {
        events.after(times.managementMs, () => {
          this.#parts.onReached(connection);
          this.#sendNext();
        });
        return;
      }
      const pauseMs = settings.retryPausesMs[retries];
      if (pauseMs !== undefined) {
        events.after(pauseMs * (0.5 + random.next()), () => this.#post(connection, retries + 1));
        return;
      }
      this.#message.behind.push(connection);
      this.#parts.onPostFailed();
      world.waitForTable('write', this.#key);
      this.#sendNext();
    });
  }

  /** Writes how far the delivery has come. */
  #note(then: () => void): void {
    const { world, times } = this.#parts;
    world.events.after(times.tableMs + world.waitForTable('write', this.#key), then);
  }

  #end(): void {
    const message = this.#message;
    message.begun += Math.max(0, this.#next - this.#behindBefore);
    message.behind.push(...this.#waiting.slice(this.#next, this.#behindBefore));
    this.#note(() => {
      const { world } = this.#parts;
      world.endCall('deliver', world.events.now - this.#startedAt);
      this.#onEnd(this.#isCut ? 'cut' : message.behind.length > 0 ? 'failed' : 'served');
    });
  }
}
