import { readEnd, readUpdatedAt } from './flag.ts';
import type { ParseResult } from './problem.ts';
import { type DocumentReader, readDocument } from './reader.ts';
import { type Condition, isSegmentCondition, readCondition } from './rule.ts';

/** A rule of a segment: users for whom all conditions hold (none: everybody) belong to it. */
interface SegmentRule {
  readonly id: string;
  readonly name: string;
  readonly conditions: readonly Condition[];
}

/**
 * FeatBit's segment document: a named group of users that flags refer to by id.
 * Fields beyond these are kept and passed on untouched.
 */
export interface Segment {
  readonly id: string;
  readonly envId: string;
  readonly name: string;
  readonly description: string;
  /** Key ids of users who belong to it unless excluded. */
  readonly included: readonly string[];
  /** Key ids of users who never belong to it. */
  readonly excluded: readonly string[];
  readonly rules: readonly SegmentRule[];
  /** ISO 8601 with exactly three fraction digits: the item's version on the wire. */
  readonly updatedAt: string;
  readonly isArchived: boolean;
  /** As of a flag. */
  readonly isDeleted?: boolean;
}

/** Reads a FeatBit segment document from parsed JSON; the same leniency as `parseFlag`. */
export function parseSegment(value: unknown): ParseResult<Segment> {
  return readDocument(value, 'a segment', readSegment);
}

function readSegment(reader: DocumentReader): Segment {
  const segment: Segment = reader.withExtras({
    id: reader.string('id'),
    envId: reader.string('envId', ''),
    name: reader.string('name', ''),
    description: reader.string('description', ''),
    included: reader.strings('included'),
    excluded: reader.strings('excluded'),
    rules: reader.objects('rules', readSegmentRule),
    updatedAt: readUpdatedAt(reader),
    ...readEnd(reader),
  });
  if (!/^[\w.-]{1,128}$/.test(segment.id)) {
    reader.error('id', 'must be 1 to 128 letters, digits, dots, underscores or hyphens');
  }
  return segment;
}

function readSegmentRule(reader: DocumentReader): SegmentRule {
  const conditions = reader.objects('conditions', readCondition);
  conditions.forEach((condition, index) => {
    if (isSegmentCondition(condition)) {
      reader.error(`conditions[${index}].property`, 'a segment cannot be defined by other segments');
    }
  });
  return reader.withExtras({ id: reader.string('id', ''), name: reader.string('name', ''), conditions });
}
