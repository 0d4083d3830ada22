import { setImmediate as turn } from 'node:timers/promises';
import { selectSince } from '../../shared/protocol/cursor.ts';
import type { DataSyncRequest } from '../../shared/protocol/message.ts';
import { formatReply } from '../../shared/protocol/reply.ts';
import { loadDocuments } from '../../shared/store/documents.ts';
import { NotFound } from '../../shared/store/errors.ts';
import type { StoredDocument } from '../../shared/store/item.ts';
import { loadChanges } from '../../shared/store/journal.ts';
import type { Reading, SnapshotCache } from '../../shared/store/snapshotCache.ts';
import type { Tables } from '../../shared/store/table.ts';
import { pushesFor } from '../push/pushes.ts';
import { SharedRead } from './sharedRead.ts';
import { Patch, type Subscriber } from './subscriber.ts';

/** Messages that are sent before others get their turn. */
const SLICE = 200;

/** How long the table may take while there is something to answer with. */
const PATIENCE_MS = 1_000;

/** Time between the beginnings of two reads: each costs more than a sync does (record 12). */
const READ_SPACING_MS = 3;

/** Changes kept for who was being answered while they went out. */
const RECENT = 1_000;

/** What an environment's feed needs, and whom it tells what it does. */
export interface FeedParts {
  readonly tables: Tables;
  readonly snapshots: Pick<SnapshotCache, 'read'>;
  /** Bytes that may wait for a subscriber before it is dropped. */
  readonly maxBufferedBytes: number;
  /** Told of each version that was read. */
  readonly onRead: (envId: string, reading: Reading) => void;
  readonly onPushed: (change: StoredDocument, subscribers: number) => void;
  readonly onDropped: () => void;
}

/** The environment as of now, or as it was read last, and why it is no newer. */
interface Look {
  readonly reading: Reading;
  readonly error?: unknown;
}

/** One environment: what it holds, who is connected to it, and what of its changes they have been sent. */
export class EnvironmentFeed {
  readonly #parts: FeedParts;
  readonly #envId: string;
  readonly #subscribers = new Set<Subscriber>();
  readonly #fresh: SharedRead<Look>;
  #last: Reading | undefined;
  /** Up to where changes have been taken note of. */
  #version = 0;
  #recent: Patch[] = [];
  /** The version after which all changes are among the recent ones. */
  #recentFrom = 0;
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

  /**
   * The environment as of now: every write that was acknowledged before the call is in it. While the table cannot be
   * reached, or does not answer, as it was when it last did.
   *
   * @throws {NotFound} when there is no such environment any more
   * @throws when it could not be read so far
   */
  async read(): Promise<Reading> {
    return (await this.#fresh.read()).reading;
  }

  /** Looks for changes, and sends them to all who lack them. @throws when the table cannot be reached */
  async refresh(): Promise<void> {
    const { error } = await this.#fresh.read();
    await this.#rounds;
    const failure = error ?? this.#failure;
    if (failure) throw failure;
  }

  /** Answers a data-sync; from then on the subscriber gets every change. */
  async answer(subscriber: Subscriber, { timestamp, user }: DataSyncRequest): Promise<void> {
    let { snapshot, version } = await this.read();
    // Where more has gone out meanwhile than is kept, this answer could not be completed.
    while (version.updatedAt < this.#recentFrom) ({ snapshot, version } = await this.read());
    const format = subscriber.asks(user);
    subscriber.transport.send(formatReply(selectSince(snapshot, subscriber.type, timestamp), format));
    subscriber.version = version.updatedAt;
    this.#subscribers.add(subscriber);
    this.#bring(subscriber);
  }

  remove(subscriber: Subscriber): void {
    this.#subscribers.delete(subscriber);
  }

  async #look(): Promise<Look> {
    const last = this.#last;
    if (!last) return { reading: await this.#read() };
    try {
      return { reading: await within(PATIENCE_MS, this.#read()) };
    } catch (error) {
      if (error instanceof NotFound) throw error;
      return { reading: last, error };
    }
  }

  async #read(): Promise<Reading> {
    const reading = await this.#parts.snapshots.read(this.#envId);
    if (!this.#last) this.#version = reading.version.updatedAt;
    // A read that was given up may still end, after newer ones.
    if (reading.version.updatedAt < (this.#last?.version.updatedAt ?? 0)) return reading;
    if (this.#last?.snapshot !== reading.snapshot) this.#parts.onRead(this.#envId, reading);
    this.#last = reading;
    if (reading.version.updatedAt > this.#version) {
      // What fails is tried again with the next read, which finds the version behind again.
      this.#rounds = this.#rounds.then(() => this.#attempt(reading));
    }
    return reading;
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
    const pushes = pushesFor(
      changes.map((stored) => ({ ...stored, stored })),
      snapshot,
    );
    this.#recent.push(...pushes.map((push) => new Patch(push)));
    this.#version = version.updatedAt;
    let sent = 0;
    for (const subscriber of this.#subscribers) {
      sent += this.#bring(subscriber);
      if (sent < SLICE) continue;
      sent = 0;
      await turn();
    }
    for (const change of changes) this.#parts.onPushed(change, this.#subscribers.size);
    this.#forgetOld();
  }

  #forgetOld(): void {
    const old = this.#recent.splice(0, Math.max(0, this.#recent.length - RECENT));
    this.#recentFrom = old.at(-1)?.push.updatedAt ?? this.#recentFrom;
  }

  async #changesUpTo(version: number): Promise<StoredDocument[]> {
    const { tables } = this.#parts;
    const journal = await loadChanges(tables, this.#envId, this.#version, version);
    if (journal) return journal;
    const documents = await loadDocuments(tables, this.#envId);
    return documents.filter(({ updatedAt }) => updatedAt > this.#version && updatedAt <= version);
  }

  /**
   * Sends what a subscriber lacks. One who does not read is dropped: it asks again when it comes back.
   *
   * @returns how many messages that took
   */
  #bring(subscriber: Subscriber): number {
    const { version } = subscriber;
    if (version === undefined || version >= this.#version) return 0;
    let first = this.#recent.length;
    while (first > 0 && (this.#recent[first - 1]?.push.updatedAt ?? 0) > version) first--;
    const owed = this.#recent.slice(first);
    for (const patch of owed) {
      const message = patch.messageFor(subscriber);
      if (message !== undefined) subscriber.transport.send(message);
    }
    subscriber.version = this.#version;
    if (subscriber.transport.bufferedBytes <= this.#parts.maxBufferedBytes) return owed.length;
    this.#subscribers.delete(subscriber);
    subscriber.transport.terminate();
    this.#parts.onDropped();
    return owed.length;
  }
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
