import type { Connections } from '../../shared/store/connections/connections.ts';
import {
  type DeliveryState,
  isUnreachable,
  knownVersion,
  pushAccess,
} from '../../shared/store/connections/deliveryState.ts';
import { type CallTime, CONCURRENCY } from './callTime.ts';
import type { PushMessage } from './pushMessage.ts';
import { type Round, type RoundDeps, serveRound } from './serveRound.ts';

/** Dependencies of serving a shard. */
export type ShardDeps = RoundDeps & { readonly connections: Pick<Connections, 'loadShard'> };

/** A message of the push queue. */
interface Attempt {
  readonly push: PushMessage;
  /** Whether it was received before: some connections may have its changes. */
  readonly isRetry: boolean;
}

/**
 * Sends a message's changes to its shard, in as many rounds as needed. Duplicates and changes that the shard already has are dropped.
 * An unfinished delivery of an earlier call is finished first, for any message.
 *
 * @returns false if time ended before everything was sent; another call continues
 * @throws if a round fails; earlier rounds stay recorded
 */
export async function serveShard(deps: ShardDeps, { push, isRetry }: Attempt, time: CallTime): Promise<boolean> {
  const { connections: table, postsPerChunk } = deps;
  const {
    shard,
    changes: [{ envId }],
  } = push;
  let due = push.changes.toSorted((a, b) => a.updatedAt - b.updatedAt);
  let start: Round['start'] = { kind: isRetry ? 'perhaps begun' : 'new' };
  for (;;) {
    const readAt = deps.now();
    const { servedTo = 0, rounds = [], progress, connections } = await table.loadShard(envId, shard);
    if (progress) start = { kind: 'continued', ...progress };
    due = due.filter(({ updatedAt }) => updatedAt > servedTo);
    // Few enough changes that each chunk has enough connections to serve in parallel.
    const atOnce = Math.ceil(postsPerChunk / Math.min(CONCURRENCY, connections.length));
    const version = progress?.version ?? due.slice(0, atOnce).at(-1)?.updatedAt;
    if (version === undefined || due.length === 0) return true;
    const changes = due.filter(({ updatedAt }) => updatedAt <= version);
    // Changes may have to be repeated for connections that asked again, so their versions prove nothing.
    const known = start.kind === 'new' ? Math.max(servedTo, leastVersion(connections)) : servedTo;
    const round = { envId, shard, servedTo: known, version, changes, connections, readAt, start };
    if (!(await serveRound(deps, round, time))) return false;
    const left = connections.filter(({ state }) => !isServable(state)).length;
    await table.shards.markServed(envId, shard, version, [...rounds, { version, at: deps.now(), left }]);
    due = due.slice(changes.length);
    if (due.length === 0) return true;
    start = { kind: 'new' };
  }
}

/** Whether a round that ends has served a connection with this state at its start. */
function isServable(state: DeliveryState): boolean {
  return 'version' in pushAccess(state) && !isUnreachable(state);
}

/** Version up to which all connections have everything; 0 if one of them has none recorded. */
function leastVersion(connections: Round['connections']): number {
  return connections.reduce((least, { state }) => Math.min(least, knownVersion(state)), Number.MAX_SAFE_INTEGER);
}
