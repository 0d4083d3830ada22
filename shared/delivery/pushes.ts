import { RE2 } from '../evaluation/compileOperator.ts';
import { CompiledFlag, referencedSegments } from '../evaluation/flag.ts';
import { type CompiledSegment, compileSegment } from '../evaluation/segment.ts';
import type { Snapshot } from '../evaluation/snapshot.ts';
import { documentId } from '../flags/document.ts';
import type { Flag } from '../flags/flag.ts';
import type { Segment } from '../flags/segment.ts';

/** One item to push. */
export interface Push {
  readonly source: CompiledFlag | CompiledSegment;
  readonly updatedAt: number;
  /** Whether an earlier, unfinished attempt may have sent it to connections. */
  readonly isRetry?: boolean | undefined;
}

/** A written document. */
export interface WrittenDocument extends Omit<Push, 'source'> {
  readonly kind: 'flag' | 'segment';
  /** The flag's key or the segment's id. */
  readonly id: string;
  /** Its content. Undefined if it was too large to travel, or is unreadable. */
  readonly content: () => Flag | Segment | undefined;
}

/**
 * Compiles written documents into pushes, ascending by `updatedAt`. It uses the snapshot if that has the same version,
 * else the body. A document without a body is left out if it has been replaced or is unreadable. Its successor follows.
 *
 * @param snapshot the environment at the documents' version or later
 */
export function pushesFor(written: readonly WrittenDocument[], snapshot: Snapshot): Push[] {
  return written
    .flatMap((document): Push[] => {
      const source = sourceOf(document, snapshot);
      return source ? [{ source, updatedAt: document.updatedAt }] : [];
    })
    .sort((a, b) => a.updatedAt - b.updatedAt);
}

/** Whether a snapshot has exactly this version of an item, no later one. */
export function isCurrent({ source }: Push, snapshot: Snapshot): boolean {
  return currentOf(source.kind, documentId(source), snapshot)?.updatedAt === source.updatedAt;
}

function currentOf(kind: WrittenDocument['kind'], id: string, { flags, segments }: Snapshot) {
  return kind === 'flag'
    ? flags.find(({ document }) => document.key === id)
    : segments.find(({ document }) => document.id === id);
}

function sourceOf(
  { kind, id, updatedAt, content }: WrittenDocument,
  snapshot: Snapshot,
): CompiledFlag | CompiledSegment | undefined {
  const current = currentOf(kind, id, snapshot);
  if (current?.updatedAt === updatedAt) return current;

  const document = content();
  if (!document) return undefined;
  const find = (segmentId: string) => snapshot.segments.find((segment) => segment.document.id === segmentId);
  const context = {
    missingAttribute: snapshot.missingAttribute,
    engine: RE2,
    segment: (segmentId: string) => find(segmentId)?.contains,
    report: () => {},
  };
  if (kind === 'segment') return compileSegment(document as Segment, context);
  const segments = [...referencedSegments(document as Flag)].flatMap((segmentId) => find(segmentId) ?? []);
  return new CompiledFlag(document as Flag, context, segments);
}
