import { type CompiledFlag, compileFlag } from '../../shared/evaluation/flag.ts';
import { type CompiledSegment, compileSegment } from '../../shared/evaluation/segment.ts';
import type { Snapshot } from '../../shared/evaluation/snapshot.ts';
import type { Flag } from '../../shared/flags/flag.ts';
import type { Segment } from '../../shared/flags/segment.ts';
import { type Change, storedDocumentOf } from '../../shared/store/change.ts';
import { decodeDocument } from '../../shared/store/item.ts';

/** One item to push. */
export interface Push {
  readonly source: CompiledFlag | CompiledSegment;
  readonly updatedAt: number;
  /** When it was written at the earliest, unix milliseconds. */
  readonly writtenAt: number;
}

/**
 * What a shard is owed for a change, ascending by `updatedAt`: the change itself, as it was written, before it anything
 * that never arrived (a stream record lost or overtaken), as it stands now.
 *
 * @param snapshot the environment at the change's version or later
 * @param servedTo up to which version the shard has been served; undefined when it never was
 */
export function pushesFor(change: Change, snapshot: Snapshot, servedTo: number | undefined): Push[] {
  const missed =
    servedTo === undefined || change.previous <= servedTo
      ? []
      : [...snapshot.segments, ...snapshot.flags]
          .filter(({ updatedAt }) => updatedAt > servedTo && updatedAt < change.updatedAt)
          .map((source): Push => ({ source, updatedAt: source.updatedAt, writtenAt: change.writtenAt }));
  const source = sourceOf(change, snapshot);
  const own = source ? [{ source, updatedAt: change.updatedAt, writtenAt: change.writtenAt }] : [];
  return [...missed, ...own].sort((a, b) => a.updatedAt - b.updatedAt);
}

/**
 * The changed item, compiled: from the snapshot where that still holds this very version, else from what travelled with
 * the change. Undefined when it has been replaced meanwhile and was too large to travel: its successor follows.
 */
function sourceOf(change: Change, snapshot: Snapshot): CompiledFlag | CompiledSegment | undefined {
  const current =
    change.kind === 'flag'
      ? snapshot.flags.find(({ document }) => document.key === change.id)
      : snapshot.segments.find(({ document }) => document.id === change.id);
  if (current?.updatedAt === change.updatedAt) return current;

  const stored = storedDocumentOf(change);
  const result = stored && decodeDocument(stored);
  if (!result?.ok) return undefined;
  const context = {
    missingAttribute: snapshot.missingAttribute,
    segment: (id: string) => snapshot.segments.find(({ document }) => document.id === id)?.contains,
    report: () => {},
  };
  return change.kind === 'flag'
    ? compileFlag(result.value as Flag, context)
    : compileSegment(result.value as Segment, context);
}
