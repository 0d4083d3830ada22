import type { Connection, DeliveryProgress, Shard } from '../../shared/store/connection.ts';
import { type DeliveryState, knownVersion } from '../../shared/store/deliveryState.ts';
import { recordMetrics } from '../telemetry/metrics.ts';
import type { CallTime } from './callTime.ts';
import { countPosts } from './connectionSender.ts';
import { CONCURRENCY, sendToConnections } from './fanOut.ts';
import type { PushMessage } from './pushMessage.ts';
import { type RoundChanges, type RoundPushesDeps, roundPushes } from './roundPushes.ts';
import type { FanOut, FanOutDeps } from './sendToConnection.ts';

/** The most messages between two notes of how far a delivery has come, and so the most that a killed one repeats. */
const CHUNK = { posts: 500, seconds: 2 };

/** How many messages lie between two notes: few enough that a call which sends them at its pace has time for many chunks. */
export function postsPerChunk(postsPerSecond: number): number {
  return Math.min(CHUNK.posts, Math.ceil(postsPerSecond * CHUNK.seconds));
}

/** What serving a shard needs. */
export interface ShardDeps extends FanOutDeps, RoundPushesDeps {
  /** The most messages between two notes; more only where one connection is owed more. */
  readonly postsPerChunk: number;
}

/** A message of the push queue. */
export interface Attempt {
  readonly push: PushMessage;
  /** Whether it was received before: some connections may have been sent its changes then. */
  readonly isRetry: boolean;
  readonly time: CallTime;
}

/** A shard, and the changes that all of its connections are to be sent. */
export interface Round extends RoundChanges {
  readonly shard: number;
  /** As they were read. */
  readonly connections: Shard['connections'];
  /** How far an earlier call came with the same version; or that one may have begun, and noted nothing. */
  readonly progress: DeliveryProgress | 'perhaps begun' | undefined;
  readonly time: CallTime;
}

/**
 * Sends a message's changes to its shard, in as many rounds as they take. A duplicate, and a change older than what the
 * shard was served, is dropped. A delivery that an earlier call did not bring to its end is brought there first, whatever
 * message it was for.
 *
 * @returns false when time ended before all was sent: another call goes on from there
 * @throws when a round fails; earlier rounds remain served
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
    const round = { envId, shard, servedTo: known, version, changes, connections, time };
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

/**
 * Sends changes to a shard, a chunk of its connections at a time, and notes after each how far it has come: another call
 * goes on there. One that is killed has sent what is repeated then: the messages of a chunk at most.
 *
 * @returns false when time ended before all were sent to; that is noted, and nothing will be repeated
 * @throws when the table fails, or connections that could be reached before cannot be
 */
export async function serveRound(deps: ShardDeps, round: Round): Promise<boolean> {
  const { envId, version, connections, changes, time } = round;
  const [first, last] = [connections[0], connections.at(-1)];
  if (!first || !last) return true;
  const sender = countPosts(deps.sender);
  try {
    const fanOut = { envId, version, time, ...(await roundPushes(deps, round)) };
    const errors = await serveChunks({ ...deps, sender }, round, fanOut, last.id);
    if (!errors) return false;
    if (errors.length > 0) {
      throw new Error(`${errors.length} of ${connections.length} connections could not be served`, {
        cause: errors[0],
      });
    }
    // An import keeps older versions: then the time of the write counts, which has full seconds.
    const writtenAt = changes.map((change) => Math.max(change.updatedAt, change.writtenAt));
    if (writtenAt.length > 0) recordMetrics({ 'push.latency': deps.now() - Math.max(...writtenAt) });
    return true;
  } finally {
    const { sent, failed } = sender.counts;
    recordMetrics({ ...(sent > 0 && { 'push.sent': sent }), ...(failed > 0 && { 'push.failed': failed }) });
  }
}

/** @returns why connections could not be reached; undefined when time ended */
async function serveChunks(
  deps: ShardDeps,
  { shard, connections, progress }: Round,
  fanOut: FanOut,
  lastId: string,
): Promise<unknown[] | undefined> {
  const { envId, version, pushes } = fanOut;
  // Who came since an earlier call cannot have been sent to by it; there is no telling who that was.
  const before = progress === 'perhaps begun' ? { servedId: '', begunId: lastId } : progress;
  let { servedId, begunId } = before ?? { servedId: '', begunId: '' };
  const note = () =>
    deps.connections.shards.markProgress(envId, shard, { version, servedId, begunId: later(begunId, servedId) });
  const repeats = pushes.map((push) => ({ ...push, isRetry: true }));
  // One that was marked as waiting may not have been noted for healing.
  const unserved = ({ kind }: DeliveryState) => kind === 'behind' || kind === 'waiting';
  const waiting = connections.filter(({ id, state }) => id > servedId || unserved(state));
  const [uncertain, untouched] = partition(waiting, ({ id }) => id <= begunId);
  const size = Math.max(1, Math.floor(deps.postsPerChunk / Math.max(1, pushes.length)));
  const errors: unknown[] = [];

  for (const chunk of [...inChunks(uncertain, size), ...inChunks(untouched, size)]) {
    const [from, to] = [chunk[0] as Connection, chunk.at(-1) as Connection];
    const isUncertain = to.id <= (before?.begunId ?? '');
    if (servedId !== '' && (servedId !== before?.servedId || to.id > begunId)) {
      begunId = later(begunId, to.id);
      await note();
    }
    const reload = () => deps.connections.loadBetween(envId, shard, from.id, to.id);
    const result = await sendToConnections(deps, {
      ...fanOut,
      pushes: isUncertain ? repeats : pushes,
      connections: chunk,
      reload,
    });
    errors.push(...result.errors);
    servedId = later(servedId, chunk[result.begun - 1]?.id ?? '');
    if (result.isCut || result.begun < chunk.length) {
      begunId = before?.begunId ?? '';
      if (servedId !== '') await note();
      return undefined;
    }
  }
  if (errors.length > 0) await note();
  return errors;
}

function later(a: string, b: string): string {
  return a > b ? a : b;
}

function partition<T>(items: readonly T[], isFirst: (item: T) => boolean): [T[], T[]] {
  return [items.filter(isFirst), items.filter((item) => !isFirst(item))];
}

function inChunks<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, n) => items.slice(n * size, (n + 1) * size));
}
