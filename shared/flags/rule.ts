import { roundNumber } from './exactJson.ts';
import type { DocumentReader } from './reader.ts';

/** Property names of conditions on segments instead of attributes. */
export const IN_SEGMENT = 'User is in segment';
export const NOT_IN_SEGMENT = 'User is not in segment';

/** A condition on a user. List values are JSON arrays in the string, as FeatBit stores them. */
export interface Condition {
  readonly id?: string;
  /** An attribute's name, `keyId`, `name`, {@link IN_SEGMENT} or {@link NOT_IN_SEGMENT}. */
  readonly property: string;
  /** The operator's name. Null or empty for conditions on segments. */
  readonly op: string | null;
  readonly value: string | null;
}

/** Tolerance for rounding errors on the rollout scale, [0,1]. Sums of shares lose precision (FeatBit). */
export const ROLLOUT_TOLERANCE = 1e-5;

/** A share of the users: those with a bucket in `rollout` (both bounds inclusive). */
export interface RolloutVariation {
  /** Id of one of the flag's variations. */
  readonly id: string;
  /** Lower and upper bound in [0,1]. They are cumulative. */
  readonly rollout: readonly [number, number];
  /** Share of the flag's experiment, in [0,1]. */
  readonly exptRollout: number;
}

/** The variations to serve for a matching rule, or by default. */
export interface Rollout {
  /** Attribute that selects a user's bucket. Null means `keyId`. */
  readonly dispatchKey: string | null;
  readonly includedInExpt: boolean;
  readonly variations: readonly RolloutVariation[];
}

/** A targeting rule of a flag. It matches if all conditions match. Without conditions it always matches. */
export interface TargetingRule extends Rollout {
  readonly id: string;
  /** Sent to SDKs as the match reason. */
  readonly name: string;
  readonly conditions: readonly Condition[];
}

export function readCondition(reader: DocumentReader): Condition {
  const condition = {
    ...(reader.source['id'] == null ? {} : { id: reader.string('id') }),
    property: reader.string('property', ''),
    op: reader.nullableString('op'),
    value: reader.nullableString('value'),
  };
  if (condition.property === '') reader.warn('property', 'names no attribute: the condition compares empty text');
  if (isSegmentCondition(condition) && !isNullableArray(condition.value)) {
    reader.error('value', 'must be a JSON array of segment ids, or null; other values crash Node SDKs');
  }
  return reader.withExtras(condition);
}

/** Whether a condition is on segments instead of an attribute. */
export function isSegmentCondition({ property }: Pick<Condition, 'property'>): boolean {
  return property === IN_SEGMENT || property === NOT_IN_SEGMENT;
}

function isNullableArray(json: string | null): boolean {
  try {
    const value: unknown = JSON.parse(json ?? 'null');
    return value === null || Array.isArray(value);
  } catch {
    return false;
  }
}

export function readRollout(reader: DocumentReader): Rollout {
  const variations = reader.objects('variations', readRolloutVariation);
  warnOfUncoveredShares(reader, variations);
  return {
    dispatchKey: reader.nullableString('dispatchKey'),
    includedInExpt: reader.boolean('includedInExpt', false),
    variations,
  };
}

export function readTargetingRule(reader: DocumentReader): TargetingRule {
  return reader.withExtras({
    id: reader.string('id', ''),
    name: reader.string('name', ''),
    ...readRollout(reader),
    conditions: reader.objects('conditions', readCondition),
  });
}

/**
 * Rules with ids of their own, by which editors tell them apart. A missing id, or one of an earlier rule, becomes
 * `rule-<position>`. The same rules always get the same ids, so that a repeated import changes nothing.
 */
export function withOwnIds<R extends { readonly id: string }>(rules: readonly R[]): R[] {
  const given = new Set(rules.map(({ id }) => id));
  const used = new Set(['']);
  return rules.map((rule, index) => {
    let id = rule.id;
    for (let n = index + 1; used.has(id) || (id !== rule.id && given.has(id)); n++) id = `rule-${n}`;
    used.add(id);
    return id === rule.id ? rule : { ...rule, id };
  });
}

function readRolloutVariation(reader: DocumentReader): RolloutVariation {
  const list = reader.source['rollout'];
  const bounds: unknown[] = Array.isArray(list) ? list.map(roundNumber) : [];
  const isPair = bounds.length === 2 && bounds.every(Number.isFinite);
  const rollout: [number, number] = isPair ? [Number(bounds[0]), Number(bounds[1])] : [0, 0];
  if (isPair) {
    const [lower, upper] = rollout;
    if (lower < 0 || upper > 1 || lower > upper) {
      reader.warn('rollout', `[${lower}, ${upper}] should be [lower, upper] within [0, 1], lower first`);
    }
  } else {
    reader.error('rollout', 'must be an array of two numbers, [lower, upper]');
  }
  return reader.withExtras({ id: reader.string('id'), rollout, exptRollout: reader.number('exptRollout', 1) });
}

/** Users in a gap get an empty variation, users in an overlap the first one. Both are valid but rarely intended. */
function warnOfUncoveredShares(reader: DocumentReader, variations: readonly RolloutVariation[]): void {
  if (variations.length === 0) {
    reader.warn('variations', 'is empty: matching users get an empty variation');
    return;
  }
  const ranges = variations.map((variation) => variation.rollout).toSorted((a, b) => a[0] - b[0]);
  let covered = 0;
  for (const [lower, upper] of ranges) {
    if (lower - covered > ROLLOUT_TOLERANCE)
      reader.warn('variations', `no range covers ${covered} to ${lower} of [0, 1]`);
    if (covered - lower > ROLLOUT_TOLERANCE && upper > lower) {
      reader.warn('variations', `the ranges overlap between ${lower} and ${Math.min(covered, upper)}`);
    }
    covered = Math.max(covered, upper);
  }
  if (1 - covered > ROLLOUT_TOLERANCE) reader.warn('variations', `no range covers ${covered} to 1 of [0, 1]`);
}
