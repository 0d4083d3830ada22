import { setTimeout as sleep } from 'node:timers/promises';
import type { Reading } from '../../shared/store/snapshotCache.ts';
import { EnvironmentFeed, type FeedParts } from './environmentFeed.ts';

/** Environments that are kept in memory though nobody is connected to them: as many as an instance keeps compiled. */
const IDLE_LIMIT = 50;

/** What the feeds need besides what each of them does. */
export interface FeedsParts extends FeedParts {
  readonly pollIntervalMs: number;
  /** How environments were read last, before this process. */
  readonly readBefore: (envId: string) => Reading | undefined;
  /** Told when the table could be reached again, or could not. */
  readonly onPolled: (error?: unknown) => void;
}

/** The environments that somebody has asked for, and the look-out for their changes. */
export class Feeds {
  readonly #parts: FeedsParts;
  readonly #feeds = new Map<string, EnvironmentFeed>();
  readonly #stop = new AbortController();

  constructor(parts: FeedsParts) {
    this.#parts = {
      ...parts,
      onDeleted: (envId) => {
        this.#feeds.delete(envId);
        parts.onDeleted(envId);
      },
    };
  }

  /**
   * The feed of an environment, which must be one that a secret opens. To be asked for each time: one that nobody is
   * connected to may be replaced by another.
   */
  of(envId: string): EnvironmentFeed {
    let feed = this.#feeds.get(envId);
    if (!feed) {
      this.#dropIdle();
      feed = new EnvironmentFeed(this.#parts, envId, this.#parts.readBefore(envId));
    }
    // Behind all others: those used longest ago come first.
    this.#feeds.delete(envId);
    this.#feeds.set(envId, feed);
    return feed;
  }

  /** An environment as of now; see {@link EnvironmentFeed.read}. */
  read(envId: string): Promise<Reading> {
    return this.of(envId).read();
  }

  /** Looks for changes of the environments that somebody is connected to, again and again, until it is stopped. */
  async watch(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      const watched = [...this.#feeds.values()].filter(({ isWatched }) => isWatched);
      const results = await Promise.allSettled(watched.map((feed) => feed.refresh()));
      const failed = results.find((result) => result.status === 'rejected');
      if (watched.length > 0) this.#parts.onPolled(failed?.reason);
      await sleep(this.#parts.pollIntervalMs, undefined, { signal }).catch(() => {});
    }
  }

  #dropIdle(): void {
    if (this.#feeds.size < IDLE_LIMIT) return;
    const idle = [...this.#feeds].filter(([, feed]) => feed.isIdle);
    for (const [envId] of idle.slice(0, Math.max(0, idle.length - IDLE_LIMIT + 1))) this.#feeds.delete(envId);
  }

  stop(): void {
    this.#stop.abort();
  }
}
