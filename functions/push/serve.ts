import { pushesFor, type Written } from '../../shared/delivery/pushes.ts';
import { type Change, storedDocumentOf } from '../../shared/store/change.ts';
import type { Connections } from '../../shared/store/connections.ts';
import { WRITER_SKEW_MS } from '../../shared/store/deliveryState.ts';
import type { DocumentReader } from '../../shared/store/documents.ts';
import type { SnapshotCache } from '../../shared/store/snapshotCache.ts';
import { recordMetrics } from '../telemetry/metrics.ts';
import { countPosts } from './connectionSender.ts';
import { type ShardFanOut, sendToShard } from './fanOut.ts';
import type { PushMessage } from './pushMessage.ts';
import type { SenderParts } from './sendToConnection.ts';

/**
 * The most messages that one round sends, so that it ends well within the function's time. A single change goes to all
 * connections of the shard in one round, however many they are.
 */
const POSTS_PER_ROUND = 20_000;

/** A message of the push queue. */
interface Attempt {
  readonly push: PushMessage;
  /** Whether it was received before: some connections may have been sent its changes then. */
  readonly isRetry: boolean;
}

/** What serving a shard needs. */
export interface ServeParts extends SenderParts {
  readonly connections: SenderParts['connections'] & Pick<Connections, 'loadShard' | 'markServed'>;
  readonly documents: Pick<DocumentReader, 'load'>;
  readonly snapshots: Pick<SnapshotCache, 'read'>;
  readonly postsPerRound?: number;
}

type OwedChange = Change & Pick<Attempt, 'isRetry'>;

/**
 * Sends changes to one shard, in as many rounds as they take. A duplicate, and a change older than what the shard was
 * served, is dropped. A change that never arrived (its stream record was lost or overtaken) is sent in its place, with the
 * document as it is now.
 *
 * @param attempts messages of one group
 * @returns after each round, the version up to which the shard is served
 * @throws when a round fails; what was yielded before stands
 */
export async function* serveShard(parts: ServeParts, attempts: readonly Attempt[]): AsyncGenerator<number> {
  const { now, postsPerRound = POSTS_PER_ROUND } = parts;
  const {
    shard,
    changes: [{ envId }],
  } = (attempts[0] as Attempt).push;
  const byVersion = new Map<number, OwedChange>();
  for (const { push, isRetry } of attempts) {
    for (const change of push.changes) {
      const known = byVersion.get(change.updatedAt)?.isRetry ?? false;
      byVersion.set(change.updatedAt, { ...change, isRetry: isRetry || known });
    }
  }
  let owed = [...byVersion.values()].toSorted((a, b) => a.updatedAt - b.updatedAt);
  const load = () => parts.connections.loadShard(envId, shard);
  while (owed.length > 0) {
    const readAt = now();
    const { servedTo = 0, connections } = await load();
    owed = owed.filter(({ updatedAt }) => updatedAt > servedTo);
    const round =
      connections.length > 0 ? owed.splice(0, Math.ceil(postsPerRound / connections.length)) : owed.splice(0);
    const version = round.at(-1)?.updatedAt ?? servedTo;
    if (connections.length > 0 && round.length > 0) {
      const reload = async () => (await load()).connections;
      await sendRound(parts, envId, { servedTo, connections, reload }, round, readAt);
    }
    if (version > servedTo) await parts.connections.markServed(envId, shard, version);
    yield version;
  }
}

async function sendRound(
  parts: ServeParts,
  envId: string,
  { servedTo, ...shard }: Pick<ShardFanOut, 'connections' | 'reload'> & { readonly servedTo: number },
  changes: readonly OwedChange[],
  readAt: number,
): Promise<void> {
  const { snapshot } = await parts.snapshots.read(envId);
  const own = changes.map((change): Written => ({ ...change, stored: storedDocumentOf(change) }));
  const version = own.at(-1)?.updatedAt ?? servedTo;
  let loading: Promise<Written[]> | undefined;
  const others = () => (loading ??= loadOthers(parts, envId, changes, version));
  const isGap = changes.some(({ previous }, index) => previous > (changes[index - 1]?.updatedAt ?? servedTo));
  const missed = isGap ? (await others()).filter(({ updatedAt }) => updatedAt > servedTo) : [];
  const sender = countPosts(parts.sender);
  try {
    await sendToShard(
      { ...parts, sender },
      {
        envId,
        ...shard,
        readAt,
        version,
        pushes: pushesFor([...missed, ...own], snapshot),
        everything: async () => pushesFor([...(await others()), ...own], snapshot),
        latest: async () => (await parts.snapshots.read(envId)).snapshot,
      },
    );
    // An import keeps older versions: then the time of the write counts, which has full seconds.
    const writtenAt = Math.max(...own.map((change) => Math.max(change.updatedAt, change.writtenAt)));
    recordMetrics({ 'push.latency': parts.now() - writtenAt });
  } finally {
    const { sent, gone, failed } = sender.counts;
    recordMetrics({ 'push.sent': sent, 'push.gone': gone, 'push.failed': failed });
  }
}

/**
 * The environment's documents up to a version, without those of the changes. When they were written is known by the
 * writer's clock alone, so it is taken as late as it can have been, but no later than the changes that came after them.
 */
async function loadOthers(
  parts: ServeParts,
  envId: string,
  changes: readonly Change[],
  version: number,
): Promise<Written[]> {
  const own = new Set(changes.map(({ updatedAt }) => updatedAt));
  const latest = Math.max(...changes.map(({ writtenAt }) => writtenAt));
  const documents = await parts.documents.load(envId);
  return documents
    .filter(({ updatedAt }) => updatedAt < version && !own.has(updatedAt))
    .map((stored) => ({ ...stored, stored, writtenAt: Math.min(latest, stored.writtenAt + WRITER_SKEW_MS) }));
}
