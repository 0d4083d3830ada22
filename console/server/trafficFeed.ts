import type { FlagReader } from '../../shared/store/reader.ts';
import type { ConnectionTotals, ConnectionType, LiveEvent, LiveLine, LiveState } from '../live.ts';
import type { LiveSource } from './liveStream.ts';
import { repeat } from './repeat.ts';
import { RollingCounters } from './rollingCounters.ts';
import { watchVersion } from './versionWatch.ts';

/** How often a follower gets a `state`, and how often the environment's version is read for it, in milliseconds. */
const STATE_MS = 2_000;
const VERSION_MS = 1_000;
/** Kinds of SDKs that are told apart; the others are counted together. */
const SDKS = 20;

interface Open {
  readonly kind: ConnectionType;
  readonly sdk: string;
  readonly environments: readonly string[];
}

/** What happens where somebody tells of all that passes, as the emulator does. */
export class TrafficFeed implements LiveSource {
  readonly #store: Pick<FlagReader, 'documents' | 'effects'>;
  readonly #since: number;
  readonly #open = new Map<string, Open>();
  readonly #counters = new Map<string, RollingCounters>();
  readonly #followers = new Map<(line: LiveLine) => void, string>();

  constructor(store: Pick<FlagReader, 'documents' | 'effects'>) {
    this.#store = store;
    this.#since = store.effects.now();
  }

  /** @param environments it happened in; none where that is not known, and so everybody is told */
  tell(event: LiveEvent, environments: readonly string[]): void {
    if (event.type === 'opened') this.#open.set(event.connection, { ...event, environments });
    if (event.type === 'closed') this.#open.delete(event.connection);
    for (const envId of environments) this.#countersFor(envId).add(event);
    for (const [tell, envId] of this.#followers) {
      if (environments.length === 0 || environments.includes(envId)) tell(event);
    }
  }

  follow(envId: string, tell: (line: LiveLine) => void): () => void {
    this.#followers.set(tell, envId);
    tell(this.#state(envId));
    const changed = watchVersion(this.#store, envId, VERSION_MS, tell);
    const states = repeat(STATE_MS, async () => tell(await this.#stateWithChanges(envId)));
    return () => {
      this.#followers.delete(tell);
      changed();
      states();
    };
  }

  async #stateWithChanges(envId: string): Promise<LiveState> {
    const state = this.#state(envId);
    const { windowMs } = state.recent;
    const changes = await this.#store.documents.countChanges(envId, state.at - windowMs);
    return { ...state, recent: { ...state.recent, changes } };
  }

  #state(envId: string) {
    const at = this.#store.effects.now();
    return {
      type: 'state',
      at,
      source: 'traffic',
      connections: this.#totals(envId),
      recent: this.#countersFor(envId).read(at),
    } as const;
  }

  #countersFor(envId: string): RollingCounters {
    const sums = this.#counters.get(envId) ?? new RollingCounters(this.#since);
    this.#counters.set(envId, sums);
    return sums;
  }

  #totals(envId: string): ConnectionTotals {
    const byType = { client: 0, server: 0, relay: 0 };
    const counts = new Map<string, number>();
    for (const { kind, sdk, environments } of this.#open.values()) {
      if (!environments.includes(envId)) continue;
      byType[kind]++;
      counts.set(sdk, (counts.get(sdk) ?? 0) + 1);
    }
    const all = [...counts].map(([sdk, count]) => ({ sdk, count })).toSorted((a, b) => b.count - a.count);
    const others = all.slice(SDKS).reduce((sum, { count }) => sum + count, 0);
    const bySdk = [...all.slice(0, SDKS), ...(others > 0 ? [{ sdk: 'others', count: others }] : [])];
    return { total: byType.client + byType.server + byType.relay, isAtLeast: false, byType, bySdk };
  }
}
