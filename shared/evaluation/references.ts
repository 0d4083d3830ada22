import type { Document } from '../flags/document.ts';
import { referencedSegments } from './flag.ts';

/** The keys of the flags, other than archived ones, that refer to a segment. */
export function flagsReferringTo(segmentId: string, all: readonly Document[]): string[] {
  return all.flatMap((item) =>
    item.kind === 'flag' && !item.document.isArchived && referencedSegments(item.document).has(segmentId)
      ? [item.document.key]
      : [],
  );
}
