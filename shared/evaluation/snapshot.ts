import type { Flag } from '../flags/flag.ts';
import type { Segment } from '../flags/segment.ts';
import type { MissingAttribute } from './condition.ts';
import { type CompiledFlag, compileFlag, referencedSegments } from './flag.ts';
import type { Predicate } from './predicate.ts';
import { type CompiledSegment, compileSegment } from './segment.ts';

/**
 * A condition that does not do what its author meant (it cannot be compiled, it names a missing segment, or its expression
 * means something else to FeatBit's server), or a document that cannot be read. Everything else is evaluated as usual.
 */
export interface InvalidCondition {
  readonly kind: 'flag' | 'segment';
  /** The flag's key or the segment's id. */
  readonly id: string;
  /** Of the condition within its document; empty for a document that cannot be read. */
  readonly path: string;
  /** What the condition does, or why the document cannot be read. */
  readonly message: string;
}

/** An invalid condition as one line: `flag "f" rules[0].conditions[1] never matches: is not a JSON array …`. */
export function formatInvalidCondition({ kind, id, path, message }: InvalidCondition): string {
  return `${kind} "${id}" ${path === '' ? 'cannot be read:' : path} ${message}`;
}

/** An environment's flags and segments at one version, compiled. Immutable; shared by all syncs at that version. */
export interface Snapshot {
  readonly envId: string;
  /** The environment's last `updatedAt`, unix milliseconds; 0 before the first write. */
  readonly version: number;
  /** Ascending by `updatedAt`; archived flags included, as tombstones. */
  readonly flags: readonly CompiledFlag[];
  /** Ascending by `updatedAt`; archived segments included, as tombstones. */
  readonly segments: readonly CompiledSegment[];
  readonly missingAttribute: MissingAttribute;
  /** Found while compiling; those of flags and segments reused from the previous snapshot are not reported again. */
  readonly invalidConditions: readonly InvalidCondition[];
}

/** What a snapshot is compiled from. */
interface SnapshotSource {
  readonly envId: string;
  readonly version: number;
  readonly flags: readonly Flag[];
  readonly segments: readonly Segment[];
  readonly missingAttribute?: MissingAttribute;
  /** Called, once, with each condition whose expression is not searched in a user's text. Lives as long as what is compiled. */
  readonly onSkipped?: (condition: InvalidCondition) => void;
}

/**
 * Compiles an environment. What has not changed since `previous` is taken over from it: a segment with the same
 * `updatedAt`, and a flag with the same `updatedAt` whose segments have all been taken over too.
 */
export function compileSnapshot(source: SnapshotSource, previous?: Snapshot): Snapshot {
  const missingAttribute = source.missingAttribute ?? 'empty';
  const reusable = previous?.missingAttribute === missingAttribute ? previous : undefined;
  const invalidConditions: InvalidCondition[] = [];
  const context = { missingAttribute, compiled: new Map<string, Predicate>() };
  const reporters = (kind: InvalidCondition['kind'], id: string) => ({
    report: (path: string, message: string) => void invalidConditions.push({ kind, id, path, message }),
    ...reporterOfSkipped(source.onSkipped, kind, id),
  });

  const earlierSegments = new Map(reusable?.segments.map((segment) => [segment.document.id, segment]));
  const segments = source.segments.map((document) => {
    const earlier = earlierSegments.get(document.id);
    return earlier?.document.updatedAt === document.updatedAt
      ? earlier
      : compileSegment(document, { ...context, ...reporters('segment', document.id) });
  });

  const segmentById = new Map(segments.map((segment) => [segment.document.id, segment]));
  const earlierFlags = new Map(reusable?.flags.map((flag) => [flag.document.key, flag]));
  const flags = source.flags.map((document) => {
    const earlier = earlierFlags.get(document.key);
    const isUnchanged =
      earlier?.document.updatedAt === document.updatedAt &&
      Array.from(referencedSegments(document)).every((id) => segmentById.get(id) === earlierSegments.get(id));
    return isUnchanged
      ? earlier
      : compileFlag(document, {
          ...context,
          segment: (id) => segmentById.get(id)?.contains,
          ...reporters('flag', document.key),
        });
  });

  return {
    envId: source.envId,
    version: source.version,
    flags: flags.toSorted((a, b) => a.updatedAt - b.updatedAt),
    segments: segments.toSorted((a, b) => a.updatedAt - b.updatedAt),
    missingAttribute,
    invalidConditions,
  };
}

/** Apart, since a predicate keeps it, and would keep all variables that it shares a scope with. */
function reporterOfSkipped(onSkipped: SnapshotSource['onSkipped'], kind: InvalidCondition['kind'], id: string) {
  return onSkipped && { onSkipped: (path: string, message: string) => onSkipped({ kind, id, path, message }) };
}
