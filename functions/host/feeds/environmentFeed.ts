import { setImmediate as turn } from 'node:timers/promises';
import { pushesFor } from '../../../shared/delivery/pushes.ts';
import { replyTo } from '../../../shared/delivery/reply.ts';
import type { DataSyncRequest } from '../../../shared/protocol/message.ts';
import type { Effects } from '../../../shared/runtime/effects.ts';
import type { HostReport } from '../../../shared/store/connections/hostReports.ts';
import type { DocumentReader } from '../../../shared/store/documents/documents.ts';
import { contentOf } from '../../../shared/store/documents/item.ts';
import type { Reading, SnapshotCache } from '../../../shared/store/snapshots/snapshotCache.ts';
import { NotFound } from '../../../shared/store/table/errors.ts';
import type { HostEvents } from '../hostEvents.ts';
import type { LastKnownState } from '../offline/lastKnownState.ts';
import { closeAll, SLICE } from '../transport/transport.ts';
import { LatestReading, type LatestReadingDeps } from './latestReading.ts';
import { RecentChanges } from './recentChanges.ts';
import type { Subscriber } from './subscriber.ts';
import { Subscribers } from './subscribers.ts';
import { type Watcher, Watchers } from './watchers.ts';

/** Dependencies of an environment's feed. */
export interface FeedDeps extends Pick<LatestReadingDeps, 'maxReadAgeMs'> {
  readonly effects: LatestReadingDeps['effects'] & Pick<Effects, 'elapse'>;
  readonly documents: Pick<DocumentReader, 'missed'>;
  readonly snapshots: Pick<SnapshotCache, 'read'>;
  /** The last readings of an earlier process, and where each new version is saved. */
  readonly lastKnown?: Pick<LastKnownState, 'reading' | 'save' | 'forget' | 'isTableLate'> | undefined;
  /** Dropped: a connection was closed because it did not read its messages. */
  readonly events: Pick<HostEvents, 'onTableRead' | 'onPushed' | 'onDropped'>;
  /** The environment was deleted. */
  readonly onDeleted: () => void;
}

/** One environment: its connections, and which changes each was sent. */
export class EnvironmentFeed {
  readonly #deps: FeedDeps;
  readonly #envId: string;
  readonly #subscribers: Subscribers;
  readonly #watchers: Watchers;
  readonly #latest: LatestReading;
  /** The version after the recent changes. */
  #version = 0;
  #recent = new RecentChanges();
  #rounds: Promise<void> = Promise.resolve();
  /** Number of {@link read} in progress. */
  #reads = 0;
  /** Error of the last round; the next refresh reports it and retries. */
  #failure: unknown;

  constructor(deps: FeedDeps, envId: string) {
    this.#deps = deps;
    this.#envId = envId;
    this.#subscribers = new Subscribers(deps.effects.now);
    this.#watchers = new Watchers(deps.effects);
    this.#latest = new LatestReading({
      effects: deps.effects,
      maxReadAgeMs: deps.maxReadAgeMs,
      read: () => {
        deps.events.onTableRead();
        return deps.snapshots.read(envId);
      },
      lastKnown: () => {
        const reading = deps.lastKnown?.reading(envId);
        if (reading) this.#begin(reading);
        return reading;
      },
      isTableLate: () => deps.lastKnown?.isTableLate ?? false,
      onRead: (reading, before, isOther) => this.#onRead(reading, before, isOther),
      onDeleted: () => this.#closeAll(),
    });
  }

  get isWatched(): boolean {
    return this.#subscribers.size > 0 || this.#watchers.size > 0;
  }

  /** Time of the last change, on the monotonic clock. */
  get changedAt(): number {
    return this.#latest.changedAt;
  }

  /** Whether there is no connection, none is being opened, and nobody waits for a read. */
  get isIdle(): boolean {
    return !this.isWatched && this.#subscribers.answering + this.#reads === 0;
  }

  /**
   * The current environment for a request: it contains every write that was acknowledged before the call, and what the client has. It
   * may lack a write that is committed and not acknowledged yet. While the table is unavailable, it is the last reading.
   *
   * @param cursor the version that the client has
   * @throws {NotFound} if the environment was deleted
   * @throws if it could not be read, now or before
   */
  async read(cursor = 0): Promise<Reading> {
    this.#reads++;
    try {
      return (await this.#latest.catchUp(cursor)).reading;
    } finally {
      this.#reads--;
    }
  }

  /**
   * Reads the environment and sends its changes to all connections that lack them. A deleted environment is not an error: its
   * connections are closed.
   *
   * @throws if the table cannot be reached
   */
  async refresh(): Promise<void> {
    const outcome = await this.#latest.refresh().catch((error: unknown) => {
      if (!(error instanceof NotFound)) throw error;
    });
    await this.#rounds;
    const failure = outcome?.error ?? this.#failure;
    if (failure) throw failure;
  }

  /**
   * Answers a data-sync from the newest reading, once there is room for the reply. After that the subscriber gets every change.
   *
   * @throws {NotFound} if the environment was deleted
   * @throws if the table cannot be reached and the subscriber has newer data than the last reading
   */
  async answer(subscriber: Subscriber, request: DataSyncRequest): Promise<void> {
    this.#subscribers.beginAnswer(subscriber, this.#version);
    try {
      const { reading, error } = await this.#latest.catchUp(request.timestamp);
      await subscriber.reply(() => {
        const { snapshot, version } = this.#latest.current ?? reading;
        if (error && request.timestamp > version.updatedAt) throw error;
        subscriber.version = version.updatedAt;
        this.#subscribers.add(subscriber);
        subscriber.user = request.user;
        return replyTo(snapshot, subscriber.type, request).text();
      });
    } finally {
      this.#subscribers.endAnswer(subscriber);
    }
    this.catchUp(subscriber);
  }

  /** How far its connections are. See {@link Subscribers.report}. */
  report(): HostReport | undefined {
    return this.#subscribers.report(this.#version);
  }

  /** Keeps the environment in memory for a subscriber. It gets changes once its version is set and it has caught up. */
  add(subscriber: Subscriber): void {
    this.#subscribers.add(subscriber);
  }

  remove(subscriber: Subscriber): void {
    this.#subscribers.remove(subscriber);
  }

  /**
   * Notifies a watcher of a version that was read for it, or of a newer one that this feed had reached meanwhile, and of each new one.
   *
   * @returns a function that ends this
   */
  watch(watcher: Watcher, version: number): () => void {
    return this.#watchers.add(watcher, Math.max(version, this.#version));
  }

  #onRead(reading: Reading, before: Reading | undefined, isOther: boolean): void {
    if (isOther) this.#endAll();
    if (!before || isOther) this.#begin(reading);
    if (before?.snapshot !== reading.snapshot) this.#deps.lastKnown?.save(this.#envId, reading, isOther);
    if (reading.version.updatedAt <= this.#version) return;
    // The next read retries a failed round: it finds the version behind again.
    const recent = this.#recent;
    const end = (error?: unknown) => {
      this.#failure = error;
    };
    this.#rounds = this.#rounds.then(() => this.#advance(reading, recent)).then(end, end);
  }

  /** The first reading. Watchers may have come with an older one, from a feed that was dropped. */
  #begin({ version }: Reading): void {
    this.#version = version.updatedAt;
    this.#watchers.notify(version.updatedAt);
  }

  /**
   * The environment was made again, or the table was restored. What the connections have belongs to another environment, so they end
   * without a close frame. SDKs reconnect, and get everything.
   */
  #endAll(): void {
    const connections = [...this.#subscribers, ...this.#watchers];
    this.#subscribers.clear(true);
    this.#watchers.clear();
    this.#recent = new RecentChanges();
    for (const connection of connections) connection.terminate();
  }

  async #closeAll(): Promise<void> {
    this.#deps.onDeleted();
    await closeAll(this.#subscribers);
    await closeAll(this.#watchers);
    this.#subscribers.clear(false);
    this.#watchers.clear();
  }

  /** @param recent the recent changes when the round was queued: others are of another environment */
  async #advance({ snapshot, version, changes: known }: Reading, recent: RecentChanges): Promise<void> {
    if (recent !== this.#recent || version.updatedAt <= this.#version) return;
    const changes =
      known?.after === this.#version
        ? known.documents
        : await this.#deps.documents.missed(this.#envId, this.#version, version.updatedAt);
    if (recent !== this.#recent) return;
    const written = changes.map((stored) => ({ ...stored, content: () => contentOf(stored) }));
    this.#recent.add(pushesFor(written, snapshot));
    this.#version = version.updatedAt;
    let sent = 0;
    for (const subscriber of this.#subscribers) {
      sent += this.catchUp(subscriber);
      if (sent < SLICE) continue;
      sent = 0;
      await turn();
    }
    this.#watchers.notify(version.updatedAt);
    for (const change of changes) this.#deps.events.onPushed(change, this.#subscribers.size);
    this.#recent.forgetOldest();
    // The time of the version is that of this report.
    this.report();
  }

  /**
   * Sends the changes that a subscriber lacks, until one stays unread; the rest follows when it was read. A subscriber that lacks
   * more than the recent changes, or leaves pushes unread while memory is short, is closed: its SDK reconnects.
   *
   * @returns number of changes sent
   */
  catchUp(subscriber: Subscriber): number {
    const { version } = subscriber;
    if (version === undefined || version >= this.#version || !subscriber.isDrained) return 0;
    if (version < this.#recent.completeFrom) return this.#drop(subscriber);
    const sent = this.#recent.sendTo(subscriber, version);
    if (subscriber.isOverBudget) this.#drop(subscriber);
    return sent;
  }

  #drop(subscriber: Subscriber): 0 {
    this.#subscribers.remove(subscriber);
    subscriber.transport.terminate();
    this.#deps.events.onDropped();
    return 0;
  }
}
