import { setImmediate as turn } from 'node:timers/promises';
import { pushesFor } from '../../shared/delivery/pushes.ts';
import { replyTo } from '../../shared/delivery/reply.ts';
import type { DataSyncRequest } from '../../shared/protocol/message.ts';
import type { DocumentReader } from '../../shared/store/documents.ts';
import { NotFound } from '../../shared/store/errors.ts';
import type { StoredDocument } from '../../shared/store/item.ts';
import type { Reading, SnapshotCache } from '../../shared/store/snapshotCache.ts';
import { RecentChanges } from './recentChanges.ts';
import { SharedRead } from './sharedRead.ts';
import type { Subscriber } from './subscriber.ts';
import { REFUSAL } from './transport.ts';

/** Messages that are sent before others get their turn. */
const SLICE = 200;

/** How long the table may take while there is something to answer with. */
const PATIENCE_MS = 1_000;

/** Time between the beginnings of two reads: each costs more than a sync does (record 12). */
const READ_SPACING_MS = 3;

/** What an environment's feed needs, and whom it tells what it does. */
export interface FeedParts {
  readonly documents: Pick<DocumentReader, 'load' | 'changes'>;
  readonly snapshots: Pick<SnapshotCache, 'read'>;
  /** Told of each version that was read. */
  readonly onRead: (envId: string, reading: Reading) => void;
  readonly onPushed: (change: StoredDocument, subscribers: number) => void;
  /** A connection was ended because it did not read what it was sent. */
  readonly onDropped: () => void;
  /** There is no such environment any more. */
  readonly onDeleted: (envId: string) => void;
}

/** How a read of the environment went; without an error, all that was acknowledged before it is in what was read last. */
interface Look {
  readonly error?: unknown;
}

/** One environment: what it holds, who is connected to it, and what of its changes they have been sent. */
export class EnvironmentFeed {
  readonly #parts: FeedParts;
  readonly #envId: string;
  readonly #subscribers = new Set<Subscriber>();
  readonly #fresh: SharedRead<Look>;
  /** Data-syncs that are being answered. */
  #answering = 0;
  /** The newest reading; it is never replaced by an older one. */
  #last: Reading | undefined;
  /** Up to where changes have been taken note of. */
  #version = 0;
  readonly #recent = new RecentChanges();
  #rounds: Promise<void> = Promise.resolve();
  /** Why the last round did not come to its end; the next look tells of it, and tries again. */
  #failure: unknown;

  /** @param kept how it was read last, before this process */
  constructor(parts: FeedParts, envId: string, kept?: Reading) {
    this.#parts = parts;
    this.#envId = envId;
    this.#last = kept;
    this.#version = kept?.version.updatedAt ?? 0;
    this.#fresh = new SharedRead(() => this.#look(), READ_SPACING_MS);
  }

  get isWatched(): boolean {
    return this.#subscribers.size > 0;
  }

  /** Whether nobody is connected to it, or about to be. */
  get isIdle(): boolean {
    return !this.isWatched && this.#answering === 0;
  }

  /**
   * The environment as of now: every write that was acknowledged before the call is in it. While the table cannot be
   * reached, or does not answer, as it was when it last did.
   *
   * @throws {NotFound} when there is no such environment any more
   * @throws when it could not be read so far
   */
  async read(): Promise<Reading> {
    await this.#fresh.read();
    return this.#last as Reading;
  }

  /**
   * Looks for changes, and sends them to all who lack them. An environment that is gone is no error: its connections are
   * closed.
   *
   * @throws when the table cannot be reached
   */
  async refresh(): Promise<void> {
    const { error } = await this.#fresh.read().catch(unlessDeleted);
    await this.#rounds;
    const failure = error ?? this.#failure;
    if (failure) throw failure;
  }

  /**
   * Answers a data-sync with the newest that is known, once there is room for the reply; from then on the subscriber
   * gets every change.
   *
   * @throws {NotFound} when there is no such environment any more
   * @throws when the table cannot be reached, and the subscriber has more than was read last, which must not be taken from it
   */
  async answer(subscriber: Subscriber, request: DataSyncRequest): Promise<void> {
    this.#answering++;
    try {
      const { error } = await this.#fresh.read();
      await subscriber.reply(() => {
        const { snapshot, version } = this.#last as Reading;
        if (error && request.timestamp > version.updatedAt) throw error;
        subscriber.version = version.updatedAt;
        this.#subscribers.add(subscriber);
        subscriber.user = request.user;
        return replyTo(snapshot, subscriber.type, request).text();
      });
    } finally {
      this.#answering--;
    }
    this.catchUp(subscriber);
  }

  remove(subscriber: Subscriber): void {
    this.#subscribers.delete(subscriber);
  }

  async #look(): Promise<Look> {
    try {
      await (this.#last ? within(PATIENCE_MS, this.#read()) : this.#read());
      return {};
    } catch (error) {
      if (error instanceof NotFound) await this.#end();
      if (error instanceof NotFound || !this.#last) throw error;
      return { error };
    }
  }

  async #read(): Promise<void> {
    const reading = await this.#parts.snapshots.read(this.#envId);
    // A read that was given up may still end, after newer ones.
    if (this.#last && reading.version.updatedAt < this.#last.version.updatedAt) return;
    if (!this.#last) this.#version = reading.version.updatedAt;
    if (this.#last?.snapshot !== reading.snapshot) this.#parts.onRead(this.#envId, reading);
    this.#last = reading;
    if (reading.version.updatedAt > this.#version) {
      // What fails is tried again with the next read, which finds the version behind again.
      this.#rounds = this.#rounds.then(() => this.#attempt(reading));
    }
  }

  /** Closes all connections as FeatBit's server refuses them. */
  async #end(): Promise<void> {
    this.#parts.onDeleted(this.#envId);
    let closed = 0;
    for (const { transport } of this.#subscribers) {
      transport.close(...REFUSAL);
      if (++closed % SLICE === 0) await turn();
    }
    this.#subscribers.clear();
  }

  async #attempt(reading: Reading): Promise<void> {
    this.#failure = undefined;
    try {
      await this.#advance(reading);
    } catch (error) {
      this.#failure = error;
    }
  }

  async #advance({ snapshot, version }: Reading): Promise<void> {
    if (version.updatedAt <= this.#version) return;
    const changes = await this.#changesUpTo(version.updatedAt);
    const written = changes.map((stored) => ({ ...stored, stored }));
    this.#recent.add(pushesFor(written, snapshot));
    this.#version = version.updatedAt;
    let sent = 0;
    for (const subscriber of this.#subscribers) {
      sent += this.catchUp(subscriber);
      if (sent < SLICE) continue;
      sent = 0;
      await turn();
    }
    for (const change of changes) this.#parts.onPushed(change, this.#subscribers.size);
    this.#recent.forgetOldest();
  }

  async #changesUpTo(version: number): Promise<StoredDocument[]> {
    const { documents } = this.#parts;
    const journal = await documents.changes(this.#envId, this.#version, version);
    if (journal) return journal;
    const all = await documents.load(this.#envId);
    return all.filter(({ updatedAt }) => updatedAt > this.#version && updatedAt <= version);
  }

  /**
   * Sends what a subscriber lacks, as far as it reads: the rest once it has read that. One who lacks more than is kept, or
   * leaves pushes unread while memory is short, is dropped: it asks again when it comes back.
   *
   * @returns how many changes that took
   */
  catchUp(subscriber: Subscriber): number {
    const { version } = subscriber;
    if (version === undefined || version >= this.#version || !subscriber.isDrained) return 0;
    if (version < this.#recent.completeFrom) return this.#drop(subscriber);
    let sent = 0;
    for (const patch of this.#recent.after(version)) {
      const message = patch.messageFor(subscriber);
      if (message !== undefined) subscriber.send(message);
      subscriber.version = patch.push.updatedAt;
      sent++;
      if (subscriber.isDrained) continue;
      if (subscriber.isOverBudget) this.#drop(subscriber);
      return sent;
    }
    subscriber.version = this.#version;
    return sent;
  }

  #drop(subscriber: Subscriber): 0 {
    this.#subscribers.delete(subscriber);
    subscriber.transport.terminate();
    this.#parts.onDropped();
    return 0;
  }
}

function unlessDeleted(error: unknown): Look {
  if (error instanceof NotFound) return {};
  throw error;
}

/** @throws when it takes longer; it goes on all the same */
async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`the table did not answer within ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([work, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
