import type { Connection, DeliveryProgress, Shard } from '../../shared/store/connections/connection.ts';
import {
  type DeliveryState,
  isUnreachable,
  knownVersion,
  pushAccess,
} from '../../shared/store/connections/deliveryState.ts';
import { countPosts } from '../gateway/connectionSender.ts';
import { recordMetrics } from '../telemetry/metrics.ts';
import type { CallTime } from './callTime.ts';
import { CONCURRENCY, sendToConnections } from './fanOut.ts';
import type { PushMessage } from './pushMessage.ts';
import { type RoundChanges, type RoundPushesDeps, roundPushes } from './roundPushes.ts';
import { type FanOut, type FanOutDeps, FRESH_MS } from './sendToConnection.ts';

/** Maximum number of messages between two records of progress, and so the maximum that a killed delivery repeats. */
const CHUNK = { posts: 500, seconds: 2 };

/** Messages between two records of progress: few enough that a rate-limited call has time for many chunks. */
export function postsPerChunk(postsPerSecond: number): number {
  return Math.min(CHUNK.posts, Math.ceil(postsPerSecond * CHUNK.seconds));
}

/** Dependencies of serving a shard. */
export interface ShardDeps extends FanOutDeps, RoundPushesDeps {
  /** Maximum number of messages between two records of progress; more only if a single connection is owed more. */
  readonly postsPerChunk: number;
}

/** A message of the push queue. */
interface Attempt {
  readonly push: PushMessage;
  /** Whether it was received before: some connections may have its changes. */
  readonly isRetry: boolean;
  readonly time: CallTime;
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
 * Sends a message's changes to its shard, in as many rounds as needed. Duplicates and changes that the shard already has are dropped.
 * An unfinished delivery of an earlier call is finished first, for any message.
 *
 * @returns false if time ended before everything was sent; another call continues
 * @throws if a round fails; earlier rounds stay recorded
 */
export async function serveShard(deps: ShardDeps, { push, isRetry, time }: Attempt): Promise<boolean> {
  const { connections: table, postsPerChunk } = deps;
  const {
    shard,
    changes: [{ envId }],
  } = push;
  let owed = push.changes.toSorted((a, b) => a.updatedAt - b.updatedAt);
  let mayHaveBegun = isRetry;
  for (;;) {
    const readAt = deps.now();
    const { servedTo = 0, rounds = [], progress, connections } = await table.loadShard(envId, shard);
    const isBegun = mayHaveBegun || progress !== undefined;
    owed = owed.filter(({ updatedAt }) => updatedAt > servedTo);
    // Few enough changes that each chunk has enough connections to serve in parallel.
    const atOnce = Math.ceil(postsPerChunk / Math.min(CONCURRENCY, connections.length));
    const version = progress?.version ?? owed.slice(0, atOnce).at(-1)?.updatedAt;
    if (version === undefined || owed.length === 0) return true;
    const changes = owed.filter(({ updatedAt }) => updatedAt <= version);
    // Changes may have to be repeated for connections that asked again, so their versions prove nothing.
    const known = isBegun ? servedTo : Math.max(servedTo, leastVersion(connections));
    const round = { envId, shard, servedTo: known, version, changes, connections, readAt, time };
    const earlier = progress ?? (isBegun ? 'perhaps begun' : undefined);
    if (!(await serveRound(deps, { ...round, progress: earlier }))) return false;
    const left = connections.filter(({ state }) => !isServable(state)).length;
    await table.shards.markServed(envId, shard, version, [...rounds, { version, at: deps.now(), left }]);
    owed = owed.slice(changes.length);
    if (owed.length === 0) return true;
    mayHaveBegun = false;
  }
}

/** Whether a round that ends has served a connection with this state at its start. */
function isServable(state: DeliveryState): boolean {
  return 'version' in pushAccess(state) && !isUnreachable(state);
}

/** Version up to which all connections have everything; 0 if one of them has none recorded. */
function leastVersion(connections: Shard['connections']): number {
  return connections.reduce((least, { state }) => Math.min(least, knownVersion(state)), Number.MAX_SAFE_INTEGER);
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
