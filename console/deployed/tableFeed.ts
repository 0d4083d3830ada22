import type { Connections } from '../../shared/store/connections/connections.ts';
import type { FlagStore } from '../../shared/store/store.ts';
import { describeStoreError } from '../../shared/store/table/describeStoreError.ts';
import type { LiveState, RecentTotals } from '../live.ts';
import type { LiveSource } from '../server/liveStream.ts';
import { repeat, watchVersion } from '../server/versionWatch.ts';

/** Intervals of counting connections and of reading an environment's version, for each page, in milliseconds. */
const COUNT_MS = 15_000;
const VERSION_MS = 5_000;
/** Maximum number of counted connections: about 750 read units, a hundredth of a cent. */
const MAX_COUNTED = 20_000;

export interface TableFeedDeps {
  readonly store: Pick<FlagStore, 'documents' | 'effects'>;
  /** Undefined if the operator did not name the connections table. */
  readonly connections: Pick<Connections, 'countByType'> | undefined;
  /** Reads sums from CloudWatch. @throws errors of AWS */
  readonly readMetrics: () => Promise<RecentTotals>;
}

/** Events of a deployment, from its connections table and metrics. */
export function tableFeed({ store, connections, readMetrics }: TableFeedDeps): LiveSource {
  const look = async (envId: string): Promise<LiveState> => {
    const missing = connections ? [] : ['connections: name the connections table with --connections'];
    const orMissing = async <T>(what: string, read: () => Promise<T>): Promise<T | undefined> => {
      try {
        return await read();
      } catch (error) {
        missing.push(`${what}: ${describeStoreError(error)}`);
        return undefined;
      }
    };
    const counts = connections && (await orMissing('connections', () => connections.countByType(envId, MAX_COUNTED)));
    const recent = await orMissing('metrics', readMetrics);
    const { client = 0, server = 0, isAtLeast = false } = counts ?? {};
    return {
      type: 'state',
      at: store.effects.now(),
      source: 'table',
      connections: { total: client + server, isAtLeast, byType: { client, server, relay: 0 } },
      ...(recent ? { recent } : {}),
      ...(missing.length === 0 ? {} : { missing: missing.join('; ') }),
    };
  };
  return {
    follow: (envId, tell) => {
      const ends = [
        repeat(COUNT_MS, async () => tell(await look(envId))),
        watchVersion(store, envId, VERSION_MS, tell),
      ];
      return () => {
        for (const end of ends) end();
      };
    },
  };
}
