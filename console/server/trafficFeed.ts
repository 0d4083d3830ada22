import type { FlagReader } from '../../shared/store/reader.ts';
import { type LiveEvent, type LiveLine, RECENT_EVENTS } from '../live.ts';
import { ConnectionRegistry } from './connectionRegistry.ts';
import type { LiveSource } from './liveStream.ts';
import { RollingCounters } from './rollingCounters.ts';

/** Maximum number of environments whose events are kept, the most recent ones. */
const ENVIRONMENTS = 100;

/** The last events of each environment, in bounded memory. */
export class RecentEventLog {
  /** Events by environment, with `''` for events without one. The environment with the newest event is last. */
  readonly #events = new Map<string, LiveEvent[]>();

  /** @param environments of the event. Empty if unknown */
  add(event: LiveEvent, environments: readonly string[]): void {
    for (const envId of environments.length === 0 ? [''] : environments) {
      const events = this.#events.get(envId) ?? [];
      events.push(event);
      if (events.length > RECENT_EVENTS) events.shift();
      this.#events.delete(envId);
      this.#events.set(envId, events);
      if (this.#events.size > ENVIRONMENTS) this.#events.delete(this.#events.keys().next().value ?? '');
    }
  }

  /** The last events of an environment and events without one, oldest first, at most {@link RECENT_EVENTS}. */
  of(envId: string): LiveEvent[] {
    const all = [...(this.#events.get('') ?? []), ...(this.#events.get(envId) ?? [])];
    return all.toSorted((a, b) => a.at - b.at).slice(-RECENT_EVENTS);
  }
}

/** Intervals of `state` lines and of reading the environment's version, in milliseconds. */
const STATE_MS = 2_000;
const VERSION_MS = 1_000;

/** A live source with events of the emulator. */
export class TrafficFeed implements LiveSource {
  readonly #store: Pick<FlagReader, 'documents' | 'effects'>;
  readonly #since: number;
  readonly #open = new ConnectionRegistry();
  readonly #recent = new RecentEventLog();
  readonly #counters = new Map<string, RollingCounters>();
  readonly #followers = new Map<(line: LiveLine) => void, string>();

  constructor(store: Pick<FlagReader, 'documents' | 'effects'>) {
    this.#store = store;
    this.#since = store.effects.now();
  }

  /** @param environments of the event. Empty if unknown, to report it to all */
  tell(event: LiveEvent, environments: readonly string[]): void {
    this.#open.add(event, environments);
    this.#recent.add(event, environments);
    for (const envId of environments) this.#countersFor(envId).add(event);
    for (const [tell, envId] of this.#followers) {
      if (environments.length === 0 || environments.includes(envId)) tell(event);
    }
  }

  follow(envId: string, tell: (line: LiveLine) => void): () => void {
    this.#followers.set(tell, envId);
    tell(this.#state(envId));
    tell({ type: 'recent', events: this.#recent.of(envId) });
    let listed: number | undefined;
    let known: number | undefined;
    const { documents, effects } = this.#store;
    const versions = repeat(VERSION_MS, async () => {
      const { updatedAt: version } = await documents.version(envId);
      if (version !== known) tell({ type: 'version', at: effects.now(), version });
      known = version;
    });
    const states = repeat(STATE_MS, async () => {
      if (listed !== this.#open.revision) tell({ type: 'connections', connections: this.#open.list(envId) });
      listed = this.#open.revision;
      tell(this.#state(envId));
    });
    return () => {
      this.#followers.delete(tell);
      versions();
      states();
    };
  }

  #state(envId: string) {
    const at = this.#store.effects.now();
    const connections = this.#open.totals(envId);
    const counters = this.#countersFor(envId);
    const steps = counters.steps(at, connections.total);
    return { type: 'state', at, source: 'traffic', connections, recent: counters.read(at), steps } as const;
  }

  #countersFor(envId: string): RollingCounters {
    const sums = this.#counters.get(envId) ?? new RollingCounters(this.#since);
    this.#counters.set(envId, sums);
    return sums;
  }
}

/** Runs a task now, and repeats it after a delay. Ignores failures. @returns a function that stops it */
function repeat(everyMs: number, action: () => Promise<void>): () => void {
  let isOver = false;
  let timer: NodeJS.Timeout | undefined;
  const turn = async () => {
    await action().catch(() => {});
    if (!isOver) timer = setTimeout(turn, everyMs).unref();
  };
  void turn();
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}
