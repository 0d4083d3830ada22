import type { Connection, DeliveryProgress, Shard } from '../../shared/store/connections/connection.ts';
import { countPosts } from '../gateway/connectionSender.ts';
import { recordMetrics } from '../telemetry/metrics.ts';
import type { CallTime } from './callTime.ts';
import { sendToConnections } from './fanOut.ts';
import { type RoundChanges, type RoundPushesDeps, roundPushes } from './roundPushes.ts';
import { type FanOut, type FanOutDeps, FRESH_MS } from './sendToConnection.ts';

/** Dependencies of serving a shard. */
export interface ShardDeps extends FanOutDeps, RoundPushesDeps {
  /** Maximum number of messages between two records of progress; more only if a single connection is owed more. */
  readonly postsPerChunk: number;
}

/** A shard, and the changes for all of its connections. */
export interface Round extends RoundChanges {
  readonly shard: number;
  /** As they were read. */
  readonly connections: Shard['connections'];
  /** Unix milliseconds. */
  readonly readAt: number;
  /** Progress of an earlier call with the same version; or that one may have started without a record. */
  readonly progress: DeliveryProgress | 'perhaps begun' | undefined;
  readonly time: CallTime;
}

/**
 * Sends changes to a shard in chunks of connections, and records progress after each chunk, where another call continues. After a
 * kill, at most the messages of one chunk are repeated.
 *
 * @returns false if time ended before all connections were served; that is recorded, and nothing is repeated
 * @throws if the table fails, or if connections that could be reached before cannot be reached now
 */
export async function serveRound(deps: ShardDeps, round: Round): Promise<boolean> {
  const { envId, version, connections, readAt, changes, time } = round;
  if (connections.length === 0) return true;
  const sender = countPosts(deps.sender);
  try {
    const fanOut = { envId, version, readAt, time, ...(await roundPushes(deps, round)) };
    if (!(await serveChunks({ ...deps, sender }, round, fanOut))) return false;
    // An import keeps older versions. Then the time of the write counts, which is in full seconds.
    const writtenAt = changes.map((change) => Math.max(change.updatedAt, change.writtenAt));
    if (writtenAt.length > 0) recordMetrics({ 'push.latency': deps.now() - Math.max(...writtenAt) });
    return true;
  } finally {
    const { sent, failed } = sender.counts;
    recordMetrics({ ...(sent > 0 && { 'push.sent': sent }), ...(failed > 0 && { 'push.failed': failed }) });
  }
}

/** Serves the chunks of a round, like {@link serveRound}. */
async function serveChunks(deps: ShardDeps, { shard, connections, progress }: Round, fanOut: FanOut): Promise<boolean> {
  const { envId, version, pushes } = fanOut;
  // Connections that came after an earlier call got nothing from it; they cannot be identified.
  const unknown = { servedId: '', begunId: connections.at(-1)?.id ?? '' };
  const earlier = progress === 'perhaps begun' ? unknown : (progress ?? { servedId: '', begunId: '' });
  /** Connections up to this id are served. */
  let { servedId } = earlier;
  /** Records progress. Connections after `servedId` may have the changes up to an id, and those that an earlier call began. */
  const record = (begunId = '') => {
    const reached = { version, servedId, begunId: latest(earlier.begunId, servedId, begunId) };
    return deps.connections.shards.markProgress(envId, shard, reached);
  };
  const isUncertain = ({ id }: Connection) => id <= earlier.begunId;
  // A connection that was marked as waiting may not have been noted for healing.
  const isUnserved = ({ id, state: { kind } }: Connection) => id > servedId || kind === 'behind' || kind === 'waiting';
  const unserved = connections.filter(isUnserved);
  const uncertain = unserved.filter(isUncertain);
  const untouched = unserved.slice(uncertain.length);
  const size = Math.max(1, Math.floor(deps.postsPerChunk / Math.max(1, pushes.length)));
  const repeats = pushes.map((push) => ({ ...push, isRetry: true }));
  const errors: unknown[] = [];

  for (const chunk of [...inChunks(uncertain, size), ...inChunks(untouched, size)]) {
    const [from, to] = [chunk[0] as Connection, chunk.at(-1) as Connection];
    if (servedId !== earlier.servedId || (servedId !== '' && !isUncertain(to))) await record(to.id);
    const reload = () => deps.connections.loadBetween(envId, shard, from.id, to.id);
    const [readAt, current] = await refresh(deps, fanOut.readAt, chunk, reload);
    const owed = isUncertain(to) ? repeats : pushes;
    const result = await sendToConnections(deps, { ...fanOut, readAt, pushes: owed, connections: current, reload });
    errors.push(...result.errors);
    const isBegun = result.begun === current.length;
    servedId = latest(servedId, (isBegun ? to : current[result.begun - 1])?.id ?? '');
    if (result.isCut || !isBegun) {
      if (servedId !== '') await record();
      return false;
    }
  }
  if (errors.length === 0) return true;
  await record();
  throw new Error(`${errors.length} of ${connections.length} connections could not be served`, { cause: errors[0] });
}

/**
 * Reads connections again that were read some time ago. Those that have asked again meanwhile are left out: that answer contains the
 * changes, and may have reached them.
 */
async function refresh(
  { now }: Pick<ShardDeps, 'now'>,
  readAt: number,
  chunk: readonly Connection[],
  reload: () => Promise<readonly Connection[]>,
): Promise<[number, readonly Connection[]]> {
  if (now() - readAt <= FRESH_MS) return [readAt, chunk];
  const readAgainAt = now();
  const answers = new Map((await reload()).map(({ id, answerId }) => [id, answerId]));
  return [readAgainAt, chunk.filter(({ id, answerId }) => answers.get(id) === answerId)];
}

function latest(...ids: readonly string[]): string {
  return ids.reduce((a, b) => (a > b ? a : b));
}

function inChunks<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, n) => items.slice(n * size, (n + 1) * size));
}
