import { type Flag, readEnd, readUpdatedAt } from './flag.ts';
import type { ParseResult } from './problem.ts';
import { type DocumentReader, readDocument } from './reader.ts';
import { isSegmentCondition, readCondition, type TargetingRule, withOwnIds } from './rule.ts';

/** A rule of a segment. Users for whom all conditions match are members. Without conditions, all users are. */
type SegmentRule = Pick<TargetingRule, 'id' | 'name' | 'conditions'>;

/**
 * FeatBit's segment document: a named group of users. Flags refer to it by id. Unknown fields are kept and passed on
 * unchanged.
 */
export interface Segment
  extends Pick<Flag, 'id' | 'envId' | 'name' | 'description' | 'updatedAt' | 'isArchived' | 'isDeleted'> {
  /** Key ids of users who are members unless excluded. */
  readonly included: readonly string[];
  /** Key ids of users who are never members. */
  readonly excluded: readonly string[];
  readonly rules: readonly SegmentRule[];
}

/** Parses a FeatBit segment document from JSON, as leniently as `parseFlag`. */
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
    rules: withOwnIds(reader.objects('rules', readSegmentRule)),
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
