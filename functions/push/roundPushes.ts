import { type Push, pushesFor, type Written } from '../../shared/delivery/pushes.ts';
import { type Change, storedDocumentOf } from '../../shared/store/change.ts';
import { WRITER_SKEW_MS } from '../../shared/store/deliveryState.ts';
import type { DocumentReader } from '../../shared/store/documents.ts';
import { contentOf } from '../../shared/store/item.ts';
import type { SnapshotCache } from '../../shared/store/snapshotCache.ts';
import type { FanOut } from './sendToConnection.ts';

/** What finding out what a round sends needs. */
export interface RoundPushesParts {
  readonly documents: Pick<DocumentReader, 'load'>;
  readonly snapshots: Pick<SnapshotCache, 'read'>;
}

/** The versions that a round takes a shard through. */
export interface RoundChanges {
  readonly envId: string;
  /** The version that the shard is at, 0 before the first. */
  readonly servedTo: number;
  /** The version that it is at after the round. */
  readonly version: number;
  /** What is known of the changes between, ascending. */
  readonly changes: readonly Change[];
  /** When the last change was written that is known to come after all that is not, unix milliseconds. */
  readonly knownAt: number;
}

/**
 * What a round sends. A change that never arrived (its stream record was lost or overtaken) is sent in its place, with the
 * document as it is now.
 */
export async function roundPushes(
  { documents, snapshots }: RoundPushesParts,
  { envId, servedTo, version, changes, knownAt }: RoundChanges,
): Promise<Pick<FanOut, 'pushes' | 'everything' | 'latest'>> {
  const { snapshot } = await snapshots.read(envId);
  const own = changes.map((change): Written => ({ ...change, content: () => contentOf(storedDocumentOf(change)) }));
  let loading: Promise<Written[]> | undefined;
  const others = () => (loading ??= loadOthers());
  const missed = isUnbroken() ? [] : (await others()).filter(({ updatedAt }) => updatedAt > servedTo);
  return {
    pushes: pushesFor([...missed, ...own], snapshot),
    everything: async (): Promise<Push[]> => pushesFor([...(await others()), ...own], snapshot),
    latest: async () => (await snapshots.read(envId)).snapshot,
  };

  function isUnbroken(): boolean {
    const isNext = ({ previous }: Change, index: number) => previous <= (changes[index - 1]?.updatedAt ?? servedTo);
    return changes.every(isNext) && changes.at(-1)?.updatedAt === version;
  }

  /**
   * The environment's documents up to the version, without those of the changes. When they were written is known by the
   * writer's clock alone, so it is taken as late as it can have been, but no later than the changes that came after them.
   */
  async function loadOthers(): Promise<Written[]> {
    const known = new Set(changes.map(({ updatedAt }) => updatedAt));
    return (await documents.load(envId))
      .filter(({ updatedAt }) => updatedAt <= version && !known.has(updatedAt))
      .map((stored) => ({
        ...stored,
        content: () => contentOf(stored),
        writtenAt: Math.min(knownAt, stored.writtenAt + WRITER_SKEW_MS),
      }));
  }
}
