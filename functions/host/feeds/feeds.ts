import type { HostReport } from '../../../shared/store/connections/hostReports.ts';
import type { Reading } from '../../../shared/store/snapshots/snapshotCache.ts';
import { EnvironmentFeed, type FeedDeps } from './environmentFeed.ts';

/** Maximum of environments in memory without a connection, and number of environments to read at the start. */
const IDLE_LIMIT = 50;

/** Interval of polls for a while after a change, in milliseconds. */
export const FAST_POLL_INTERVAL_MS = 10;

/** Dependencies of all feeds. */
interface FeedsDeps extends Omit<FeedDeps, 'onDeleted'> {
  readonly pollIntervalMs: number;
  /** How long after a change an environment is polled every {@link FAST_POLL_INTERVAL_MS}; 0: never. */
  readonly fastPollMs: number;
  /** Called after each poll of an environment with whether the table could be read. */
  readonly onPolled: (error?: unknown) => void;
}

/** The environments that clients have requested. They are polled for changes. */
export class Feeds {
  readonly #deps: FeedsDeps;
  readonly #feeds = new Map<string, EnvironmentFeed>();
  /** Polls in progress. */
  readonly #polls = new Map<EnvironmentFeed, Promise<void>>();
  #isStopped = false;
  /** Ends the pause between polls. */
  #wake = () => {};

  constructor(deps: FeedsDeps) {
    this.#deps = deps;
  }

  /**
   * The feed of an environment. The caller must have checked a secret of it. Do not keep the feed: one without connections may
   * be replaced.
   */
  of(envId: string): EnvironmentFeed {
    let feed = this.#feeds.get(envId);
    if (!feed) {
      this.#dropIdle();
      feed = this.#open(envId);
    }
    // Moved to the end: those used longest ago come first.
    this.#feeds.delete(envId);
    this.#feeds.set(envId, feed);
    return feed;
  }

  #open(envId: string): EnvironmentFeed {
    const feed: EnvironmentFeed = new EnvironmentFeed(
      {
        ...this.#deps,
        onDeleted: () => {
          // A read of a feed that was dropped may end after the environment was made again.
          if (this.#feeds.get(envId) !== feed) return;
          this.#feeds.delete(envId);
          this.#deps.lastKnown?.forget(envId);
        },
      },
      envId,
    );
    return feed;
  }

  /** How far the connections of an environment are. @returns undefined without connections */
  report(envId: string): HostReport | undefined {
    return this.#feeds.get(envId)?.report();
  }

  /** An environment for a request; see {@link EnvironmentFeed.read}. */
  read(envId: string, cursor?: number): Promise<Reading> {
    return this.of(envId).read(cursor);
  }

  /** Reads environments before the first request. A process's first read takes far longer than later ones. */
  async preload(envIds: readonly string[]): Promise<void> {
    for (const envId of envIds.slice(0, IDLE_LIMIT)) await this.read(envId);
  }

  /**
   * Polls the environments with connections until it is stopped, each independently. After a change, an environment is polled
   * every {@link FAST_POLL_INTERVAL_MS} for `fastPollMs`, because another change is likely. Otherwise every `pollIntervalMs`.
   */
  async watch(): Promise<void> {
    const { monotonic } = this.#deps.effects;
    let nextForAll = monotonic();
    while (!this.#isStopped) {
      const watched = [...this.#feeds.values()].filter(({ isWatched }) => isWatched);
      const isForAll = monotonic() >= nextForAll;
      if (isForAll) nextForAll = monotonic() + this.#deps.pollIntervalMs;
      const due = isForAll ? watched : watched.filter((feed) => this.#isPolledFast(feed));
      for (const feed of due) if (!this.#polls.has(feed)) this.#polls.set(feed, this.#poll(feed));
      // The results decide when to poll next. A slow poll does not delay the others.
      if (due.length > 0) await this.#pause(FAST_POLL_INTERVAL_MS, Promise.all(this.#polls.values()));
      const untilAll = nextForAll - monotonic();
      const isAnyFast = watched.some((feed) => this.#isPolledFast(feed));
      const wait = isAnyFast ? Math.min(FAST_POLL_INTERVAL_MS, untilAll) : untilAll;
      await this.#pause(Math.max(1, wait));
    }
    await Promise.all(this.#polls.values());
  }

  /** Waits for a time, until {@link stop}, or until these polls end. Its timer ends with it: a poll needs no second wake-up. */
  async #pause(ms: number, polls?: Promise<unknown>): Promise<void> {
    if (this.#isStopped) return;
    let timer: NodeJS.Timeout | undefined;
    await new Promise<unknown>((resolve) => {
      timer = setTimeout(resolve, ms);
      this.#wake = () => resolve(undefined);
      void polls?.then(resolve);
    });
    clearTimeout(timer);
  }

  async #poll(feed: EnvironmentFeed): Promise<void> {
    const error = await feed.refresh().then(
      () => undefined,
      (reason: unknown) => reason,
    );
    this.#polls.delete(feed);
    this.#deps.onPolled(error);
  }

  #isPolledFast({ changedAt }: EnvironmentFeed): boolean {
    return this.#deps.effects.monotonic() - changedAt < this.#deps.fastPollMs;
  }

  #dropIdle(): void {
    if (this.#feeds.size < IDLE_LIMIT) return;
    const idle = [...this.#feeds].filter(([, feed]) => feed.isIdle);
    for (const [envId] of idle.slice(0, Math.max(0, idle.length - IDLE_LIMIT + 1))) this.#feeds.delete(envId);
  }

  stop(): void {
    this.#isStopped = true;
    this.#wake();
  }
}
