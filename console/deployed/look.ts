import { keepAnswers } from '../../shared/runtime/keepAnswers.ts';
import type { Connections } from '../../shared/store/connections/connections.ts';
import type { FlagReader } from '../../shared/store/reader.ts';
import { describeStoreError } from '../../shared/store/table/describeStoreError.ts';
import { withoutArns } from '../../shared/store/table/permission.ts';
import type { LiveState, Look, RecentTotals } from '../live.ts';

/** Cache duration of the connections and metrics of an environment, in milliseconds. */
const KEPT_MS = 15_000;
/** Maximum number of environments whose connections are kept. */
const KEPT_ENVIRONMENTS = 20;
/** Maximum number of counted connections: about 750 read units, a hundredth of a cent. */
const MAX_COUNTED = 20_000;

interface LookDeps {
  readonly store: Pick<FlagReader, 'documents' | 'effects'>;
  /** Undefined if the operator did not name the connections table. */
  readonly connections: Pick<Connections, 'countByType'> | undefined;
  /** Reads sums from CloudWatch. @throws errors of AWS */
  readonly readMetrics: () => Promise<RecentTotals>;
}

/** Reads what happens in an environment of a deployment: its version, its connections and metrics. */
export function createLook({ store, connections, readMetrics }: LookDeps): (envId: string) => Promise<Look> {
  const kept = keepAnswers<LiveState>(KEPT_MS, KEPT_ENVIRONMENTS);
  const readState = async (envId: string): Promise<LiveState> => {
    const missing = connections ? [] : ['connections: name the connections table with --connections'];
    const orMissing = async <T>(what: string, read: () => Promise<T>): Promise<T | undefined> => {
      try {
        return await read();
      } catch (error) {
        missing.push(`${what}: ${withoutArns(describeStoreError(error))}`);
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
  return async (envId) => {
    const [{ updatedAt: version }, state] = await Promise.all([
      store.documents.version(envId),
      kept(envId, store.effects.now(), () => readState(envId)),
    ]);
    return { version, state };
  };
}
