import type { Connection, DeliveryProgress, Shard } from '../../shared/store/connections/connection.ts';
import type { Connections } from '../../shared/store/connections/connections.ts';
import { countPosts } from '../gateway/connectionSender.ts';
import { recordMetrics } from '../telemetry/metrics.ts';
import type { CallTime } from './callTime.ts';
import { fanOut, type ReadConnections } from './fanOut.ts';
import { type OwedPushes, type OwedPushesDeps, owedPushes, type RoundChanges } from './owedPushes.ts';
import type { SendDeps } from './sendToConnection.ts';

/** Maximum number of messages between two records of progress, and so the maximum that a killed delivery repeats. */
const CHUNK = { posts: 500, seconds: 2 };

/** Messages between two records of progress: few enough that a rate-limited call has time for many chunks. */
export function postsPerChunk(postsPerSecond: number): number {
  return Math.min(CHUNK.posts, Math.ceil(postsPerSecond * CHUNK.seconds));
}

/** Dependencies of a round. */
export interface RoundDeps extends Omit<SendDeps, 'time'>, OwedPushesDeps {
  readonly connections: SendDeps['connections'] & Pick<Connections, 'loadBetween' | 'shards'>;
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
  readonly start: RoundStart;
}

/** What earlier calls did in a round: nothing, perhaps something without a record, or what is recorded. */
type RoundStart = { readonly kind: 'new' | 'perhaps begun' } | ({ readonly kind: 'continued' } & DeliveryProgress);

/**
 * Sends changes to a shard in chunks of connections, and records the end of each chunk before it, so that another call can continue. After
 * a kill, at most the messages of one chunk are repeated.
 *
 * @returns false if time ended before all connections were served; that is recorded, and nothing is repeated
 * @throws if the table fails, or if connections that could be reached before cannot be reached now
 */
export async function serveRound(deps: RoundDeps, round: Round, time: CallTime): Promise<boolean> {
  const { connections, changes } = round;
  if (connections.length === 0) return true;
  const sender = countPosts(deps.sender);
  try {
    const owed = await owedPushes(deps, round);
    if (!(await serveChunks({ ...deps, sender, time }, round, owed))) return false;
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
async function serveChunks(deps: RoundDeps & SendDeps, round: Round, owed: OwedPushes): Promise<boolean> {
  const { envId, shard, version, connections, start } = round;
  const earlier = start.kind === 'continued' ? start : undefined;
  // Connections that came after a call without a record got nothing from it; they cannot be identified.
  const uncertainTo = start.kind === 'perhaps begun' ? connections.at(-1)?.id : earlier?.begunId;
  /** Connections up to this id are served; undefined before the first one. */
  let servedId = earlier?.servedId;
  /** Records progress. Connections after `servedId` may have the changes up to an id, and those that an earlier call began. */
  const record = async (begunId?: string) => {
    if (servedId === undefined) return;
    const reached = { version, servedId, begunId: latest(servedId, uncertainTo, begunId) };
    await deps.connections.shards.markProgress(envId, shard, reached);
  };
  const isUncertain = ({ id }: Connection) => uncertainTo !== undefined && id <= uncertainTo;
  // A connection that was marked as waiting may not have been noted for healing.
  const isUnserved = ({ id, state: { kind } }: Connection) =>
    servedId === undefined || id > servedId || kind === 'behind' || kind === 'waiting';
  const unserved = connections.filter(isUnserved);
  const uncertain = unserved.filter(isUncertain);
  const untouched = unserved.slice(uncertain.length);
  const size = Math.max(1, Math.floor(deps.postsPerChunk / Math.max(1, owed.pushes.length)));
  const repeats = { ...owed, pushes: owed.pushes.map((push) => ({ ...push, isRetry: true })) };
  const errors: unknown[] = [];

  for (const chunk of [...inChunks(uncertain, size), ...inChunks(untouched, size)]) {
    const [from, to] = [chunk[0] as Connection, chunk.at(-1) as Connection];
    const isOnRecord = servedId === earlier?.servedId && isUncertain(to);
    if (!isOnRecord) await record(to.id);
    const reload = () => deps.connections.loadBetween(envId, shard, from.id, to.id);
    const read = await refresh(deps, { connections: chunk, readAt: round.readAt, reload });
    const result = await fanOut(deps, isUncertain(to) ? repeats : owed, read);
    errors.push(...result.errors);
    const isBegun = result.begun === read.connections.length;
    const last = isBegun ? to : read.connections[result.begun - 1];
    if (last) servedId = latest(last.id, servedId);
    if (result.isCut || !isBegun) {
      await record();
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
async function refresh({ now, time }: SendDeps, chunk: ReadConnections): Promise<ReadConnections> {
  const { connections, readAt, reload } = chunk;
  if (time.isFresh(readAt)) return chunk;
  const readAgainAt = now();
  const answers = new Map((await reload()).map(({ id, answerId }) => [id, answerId]));
  const current = connections.filter(({ id, answerId }) => answers.get(id) === answerId);
  return { connections: current, readAt: readAgainAt, reload };
}

function latest(first: string, ...others: readonly (string | undefined)[]): string {
  return others.reduce<string>((a, b) => (b !== undefined && b > a ? b : a), first);
}

function inChunks<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, n) => items.slice(n * size, (n + 1) * size));
}
