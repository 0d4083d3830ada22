import { documentId } from '../flags/document.ts';
import type { Flag } from '../flags/flag.ts';
import { certainlyFits } from '../flags/leanDocument.ts';
import type { Segment } from '../flags/segment.ts';
import { RE2 } from './compileOperator.ts';
import type { MissingAttribute } from './condition.ts';
import { NO_ENGINE, overEnvironmentLimit } from './expressionLimits.ts';
import { CompiledFlag, referencedSegments } from './flag.ts';
import type { InvalidCondition } from './invalidCondition.ts';
import type { Predicate } from './predicate.ts';
import { type CompiledSegment, compileSegment } from './segment.ts';
import { problemOfSending } from './unsent.ts';

/** An environment's compiled flags and segments at one version. Immutable. All syncs at that version share it. */
export interface Snapshot {
  readonly envId: string;
  /** The environment's last `updatedAt`, unix milliseconds. 0 before the first write. */
  readonly version: number;
  /** The version with which the environment began. A client with an earlier one has the data of another environment. */
  readonly initialVersion: number;
  /** Ascending by `updatedAt`. Includes archived flags, as tombstones. */
  readonly flags: readonly CompiledFlag[];
  /** Ascending by `updatedAt`. Includes archived segments, as tombstones. */
  readonly segments: readonly CompiledSegment[];
  readonly missingAttribute: MissingAttribute;
  /** Problems found by the compilation. Those of reused flags and segments are not reported again. */
  readonly invalidConditions: readonly InvalidCondition[];
}

/** The source of a snapshot. */
interface SnapshotSource {
  readonly envId: string;
  readonly version: number;
  /** By default 0. */
  readonly initialVersion?: number;
  readonly flags: readonly Flag[];
  readonly segments: readonly Segment[];
  readonly missingAttribute?: MissingAttribute;
  /** Size of the largest document as JSON, in bytes. If it is small, the sizes of all others are not computed. */
  readonly largestBytes?: number;
  /**
   * Called once for each condition whose search was skipped for a user's text. It lives as long as the compiled flags.
   */
  readonly onSkipped?: (condition: InvalidCondition) => void;
}

/**
 * Compiles an environment. It reuses unchanged parts of `previous`: segments with the same `updatedAt`, and flags with
 * the same `updatedAt` whose segments are all reused.
 */
export function compileSnapshot(source: SnapshotSource, previous?: Snapshot): Snapshot {
  const missingAttribute = source.missingAttribute ?? 'empty';
  const reusable = previous?.missingAttribute === missingAttribute ? previous : undefined;
  const invalidConditions: InvalidCondition[] = [];
  const context = { missingAttribute, engine: RE2, compiled: new Map<string, Predicate>() };
  const over = overEnvironmentLimit(source.flags, source.segments, RE2);
  const contextOf = (document: Flag | Segment) =>
    over.has(document) ? { missingAttribute, engine: NO_ENGINE } : context;
  const isReusable = (earlier: CompiledFlag | CompiledSegment | undefined, document: Flag | Segment) =>
    earlier?.document.updatedAt === document.updatedAt && WITHOUT_EXPRESSIONS.has(earlier) === over.has(document);
  const finish = (compiled: CompiledFlag | CompiledSegment) => {
    if (over.has(compiled.document)) WITHOUT_EXPRESSIONS.add(compiled);
    reportUnsent(compiled);
  };
  const reporters = (kind: InvalidCondition['kind'], id: string) => ({
    report: (path: string, message: string) => void invalidConditions.push({ kind, id, path, message }),
    ...reporterOfSkipped(source.onSkipped, kind, id),
  });
  const limitBytes = certainlyFits(source.largestBytes ?? Number.POSITIVE_INFINITY)
    ? Number.POSITIVE_INFINITY
    : undefined;
  const reportUnsent = (compiled: CompiledFlag | CompiledSegment) => {
    const message = problemOfSending(compiled, limitBytes);
    if (message !== undefined)
      invalidConditions.push({ kind: compiled.kind, id: documentId(compiled), path: '', message });
  };

  const earlierSegments = new Map(reusable?.segments.map((segment) => [segment.document.id, segment]));
  const segments = source.segments.map((document) => {
    const earlier = earlierSegments.get(document.id);
    if (earlier && isReusable(earlier, document)) return earlier;
    const compiled = compileSegment(document, { ...contextOf(document), ...reporters('segment', document.id) });
    finish(compiled);
    return compiled;
  });

  const segmentById = new Map(segments.map((segment) => [segment.document.id, segment]));
  const earlierFlags = new Map(reusable?.flags.map((flag) => [flag.document.key, flag]));
  const segment = (id: string) => segmentById.get(id)?.contains;
  const flags = source.flags.map((document) => {
    const earlier = earlierFlags.get(document.key);
    const ids = [...referencedSegments(document)];
    const isUnchanged =
      isReusable(earlier, document) && ids.every((id) => segmentById.get(id) === earlierSegments.get(id));
    if (earlier && isUnchanged) return earlier;
    const used = ids.flatMap((id) => segmentById.get(id) ?? []);
    const compiled = new CompiledFlag(
      document,
      { ...contextOf(document), segment, ...reporters('flag', document.key) },
      used,
    );
    finish(compiled);
    return compiled;
  });

  return {
    envId: source.envId,
    version: source.version,
    initialVersion: source.initialVersion ?? 0,
    flags: flags.toSorted((a, b) => a.updatedAt - b.updatedAt),
    segments: segments.toSorted((a, b) => a.updatedAt - b.updatedAt),
    missingAttribute,
    invalidConditions,
  };
}

/** Documents that were compiled without their expressions, because of the limit of the environment. */
const WITHOUT_EXPRESSIONS = new WeakSet<CompiledFlag | CompiledSegment>();

/** A separate function: a predicate keeps it, together with all variables in its scope. */
function reporterOfSkipped(onSkipped: SnapshotSource['onSkipped'], kind: InvalidCondition['kind'], id: string) {
  return onSkipped && { onSkipped: (path: string, message: string) => onSkipped({ kind, id, path, message }) };
}
