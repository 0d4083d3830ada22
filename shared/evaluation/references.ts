import { withoutDeleted } from '../flags/deletion.ts';
import { byKind, type Document } from '../flags/document.ts';
import type { Segment } from '../flags/segment.ts';
import { referencedSegments } from './flag.ts';

/** The keys of the flags that refer to a segment, without archived flags. */
export function flagsReferringTo(segmentId: string, all: readonly Document[]): string[] {
  return all.flatMap((item) =>
    item.kind === 'flag' && !item.document.isArchived && referencedSegments(item.document).has(segmentId)
      ? [item.document.key]
      : [],
  );
}

/** Why a segment cannot be archived or deleted: the flags that refer to it. @returns undefined if it can */
export function problemOfEnd(
  segmentId: string,
  end: 'archived' | 'deleted',
  all: readonly Document[],
): string | undefined {
  const flags = flagsReferringTo(segmentId, all);
  return flags.length === 0 ? undefined : `cannot be ${end}: these flags refer to it: ${flags.join(', ')}`;
}

/** The deleted segments that flags refer to, archived flags too: those flags still match by them. */
export function deletedSegmentsInUse(all: readonly Document[]): Segment[] {
  const used = new Set(byKind(withoutDeleted(all)).flags.flatMap((flag) => [...referencedSegments(flag)]));
  return byKind(all).segments.filter(({ id, isDeleted }) => isDeleted && used.has(id));
}
