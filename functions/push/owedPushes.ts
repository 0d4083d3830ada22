import { type Push, pushesFor, type WrittenDocument } from '../../shared/delivery/pushes.ts';
import type { Snapshot } from '../../shared/evaluation/snapshot.ts';
import { type Change, storedDocumentOf } from '../../shared/store/documents/change.ts';
import type { DocumentReader } from '../../shared/store/documents/documents.ts';
import { contentOf } from '../../shared/store/documents/item.ts';
import type { SnapshotCache } from '../../shared/store/snapshots/snapshotCache.ts';

/** What finding out what a round sends needs. */
export interface OwedPushesDeps {
  readonly documents: Pick<DocumentReader, 'missed'>;
  readonly snapshots: Pick<SnapshotCache, 'read'>;
}

/** The versions of a round. */
export interface RoundChanges {
  readonly envId: string;
  /** A version that all connections have; 0 if unknown. */
  readonly servedTo: number;
  /** The shard's version after the round. */
  readonly version: number;
  /** The known changes between, ascending. */
  readonly changes: readonly Change[];
}

/** What a round sends. */
export interface OwedPushes {
  readonly envId: string;
  /** The version of connections after the pushes. */
  readonly version: number;
  readonly pushes: readonly Push[];
  /** All changes after a version up to the round's, for connections that are behind. */
  readonly since: (version: number) => Promise<readonly Push[]>;
  /** The current environment. */
  readonly latest: () => Promise<Snapshot>;
}

/**
 * Finds the changes that a round sends. A change whose stream record was lost or overtaken is taken from the journal; if the journal
 * lacks it, the current document is sent.
 */
export async function owedPushes(
  { documents, snapshots }: OwedPushesDeps,
  { envId, servedTo, version, changes }: RoundChanges,
): Promise<OwedPushes> {
  const { snapshot } = await snapshots.read(envId);
  const own = changes.map(
    (change): WrittenDocument => ({ ...change, content: () => contentOf(storedDocumentOf(change)) }),
  );
  let loaded: { readonly after: number; readonly pushes: Promise<Push[]> } | undefined;
  return {
    envId,
    version,
    pushes: isUnbroken() ? pushesFor(own, snapshot) : await since(servedTo),
    since,
    latest: async () => (await snapshots.read(envId)).snapshot,
  };

  function isUnbroken(): boolean {
    const isNext = ({ previous }: Change, index: number) => previous <= (changes[index - 1]?.updatedAt ?? servedTo);
    return changes.every(isNext) && changes.at(-1)?.updatedAt === version;
  }

  async function since(after: number): Promise<Push[]> {
    if (!loaded || after < loaded.after) loaded = { after, pushes: load(after) };
    return (await loaded.pushes).filter(({ updatedAt }) => updatedAt > after);
  }

  async function load(after: number): Promise<Push[]> {
    const known = new Set(changes.map(({ updatedAt }) => updatedAt));
    const others = (await documents.missed(envId, after, version))
      .filter(({ updatedAt }) => !known.has(updatedAt))
      .map((stored): WrittenDocument => ({ ...stored, content: () => contentOf(stored) }));
    return pushesFor([...others, ...own], snapshot);
  }
}
