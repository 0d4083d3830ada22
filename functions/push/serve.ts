import type { Shard } from '../../shared/store/connection.ts';
import type { Connections } from '../../shared/store/connections.ts';
import { knownVersion } from '../../shared/store/deliveryState.ts';
import { CONCURRENCY } from './fanOut.ts';
import type { PushMessage } from './pushMessage.ts';
import { type RoundDeps, serveRound } from './round.ts';

/** A message of the push queue. */
export interface Attempt {
  readonly push: PushMessage;
  /** Whether it was received before: some connections may have been sent its changes then. */
  readonly isRetry: boolean;
}

/** What serving a shard needs. */
export interface ServeDeps extends RoundDeps {
  readonly connections: RoundDeps['connections'] & Pick<Connections, 'loadShard'>;
}

/**
 * Sends a message's changes to its shard, in as many rounds as they take. A duplicate, and a change older than what the
 * shard was served, is dropped. A delivery that an earlier call did not bring to its end is brought there first, whatever
 * message it was for.
 *
 * @returns false when time ended before all was sent: another call goes on from there
 * @throws when a round fails; earlier rounds remain served
 */
export async function serveShard(deps: ServeDeps, { push, isRetry }: Attempt): Promise<boolean> {
  const { connections: table, postsPerChunk } = deps;
  const {
    shard,
    changes: [{ envId }],
  } = push;
  let owed = push.changes.toSorted((a, b) => a.updatedAt - b.updatedAt);
  let mayHaveBegun = isRetry;
  for (;;) {
    const { servedTo = 0, progress, connections } = await table.loadShard(envId, shard);
    const isBegun = mayHaveBegun || progress !== undefined;
    owed = owed.filter(({ updatedAt }) => updatedAt > servedTo);
    // As many changes as leave each chunk connections enough to be sent to side by side.
    const atOnce = Math.ceil(postsPerChunk / Math.min(CONCURRENCY, connections.length));
    const version = progress?.version ?? owed.slice(0, atOnce).at(-1)?.updatedAt;
    if (version === undefined || owed.length === 0) return true;
    const changes = owed.filter(({ updatedAt }) => updatedAt <= version);
    // What was begun may have to be repeated for those who asked again since, so their versions tell nothing.
    const known = isBegun ? servedTo : Math.max(servedTo, leastVersion(connections));
    const round = { envId, shard, servedTo: known, version, changes, connections };
    const isServed = await serveRound(deps, {
      ...round,
      progress: progress ?? (isBegun ? 'perhaps begun' : undefined),
    });
    if (!isServed) return false;
    await table.shards.markServed(envId, shard, version);
    owed = owed.slice(changes.length);
    if (owed.length === 0) return true;
    mayHaveBegun = false;
  }
}

/** The version up to which all connections have everything; 0 where that is not noted of one of them (yet). */
function leastVersion(connections: Shard['connections']): number {
  return connections.reduce((least, { state }) => Math.min(least, knownVersion(state)), Number.MAX_SAFE_INTEGER);
}
