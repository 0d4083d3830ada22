import { createHash } from 'node:crypto';
import type { Flag } from '../../../shared/flags/flag.ts';
import { type Condition, ROLLOUT_TOLERANCE, type Rollout } from '../../../shared/flags/rule.ts';
import type { Segment } from '../../../shared/flags/segment.ts';
import type { UserDocument } from '../../../shared/flags/user.ts';

/**
 * FeatBit's evaluation written down the straightforward way: every flag's document is interpreted anew for every user,
 * and the reply is built as objects. What compiling is compared with; it has the same results, and contains nothing.
 */
export function evaluateNaively(flag: Flag, user: UserDocument, segments: ReadonlyMap<string, Segment>) {
  const { variationId, reason, sendToExperiment } = decide(flag, user, segments);
  const variation = flag.variations.find(({ id }) => id === variationId);
  return {
    id: flag.key,
    variation: variation?.value ?? null,
    variationType: flag.variationType,
    variationId: variation?.id ?? null,
    matchReason: reason,
    variationOptions: flag.variations.map(({ id, value }) => ({ id, value })),
    sendToExperiment,
    timestamp: Date.parse(flag.updatedAt),
  };
}

function decide(flag: Flag, user: UserDocument, segments: ReadonlyMap<string, Segment>) {
  if (flag.isArchived) return { variationId: null, reason: 'flag archived', sendToExperiment: false };
  if (!flag.isEnabled) {
    return { variationId: flag.disabledVariationId, reason: 'flag disabled', sendToExperiment: false };
  }
  const target = flag.targetUsers.find(({ keyIds }) => keyIds.includes(user.keyId));
  if (target) {
    return { variationId: target.variationId, reason: 'targeted', sendToExperiment: flag.exptIncludeAllTargets };
  }
  const rule = flag.rules.find(({ conditions }) => conditions.every((condition) => holds(condition, user, segments)));
  return { ...rollOut(flag, rule ?? flag.fallthrough, user), reason: rule?.name ?? 'default' };
}

function rollOut(flag: Flag, rollout: Rollout, user: UserDocument) {
  const key = flag.key + (attributeOf(user, rollout.dispatchKey ?? 'keyId') ?? '');
  const share = rollout.variations.find((variation) => isInRollout(key, variation.rollout));
  if (flag.exptIncludeAllTargets) return { variationId: share?.id ?? '', sendToExperiment: true };
  if (!share || !rollout.includedInExpt) return { variationId: share?.id ?? '', sendToExperiment: false };
  const width = share.rollout[1] - share.rollout[0];
  const isSampled = width !== 0 && share.exptRollout !== 0;
  const sendToExperiment = isSampled && isInRollout(`expt${key}`, [0, Math.min(share.exptRollout / width, 1)]);
  return { variationId: share.id, sendToExperiment };
}

function isInRollout(key: string, [lower, upper]: readonly [number, number]): boolean {
  if (lower === 0 && 1 - upper < ROLLOUT_TOLERANCE) return true;
  if (lower === 0 && upper === 0) return false;
  const bucket = Math.abs(createHash('md5').update(key).digest().readInt32LE(0) / -2147483648);
  return lower <= bucket && bucket <= upper;
}

function holds(condition: Condition, user: UserDocument, segments: ReadonlyMap<string, Segment>): boolean {
  if (condition.property === 'User is in segment') return isInAny(condition, user, segments);
  if (condition.property === 'User is not in segment') return !isInAny(condition, user, segments);
  const text = attributeOf(user, condition.property);
  if (text === null || condition.value === null) return false;
  return matches(condition.op, text ?? '', condition.value);
}

function isInAny(condition: Condition, user: UserDocument, segments: ReadonlyMap<string, Segment>): boolean {
  const ids = JSON.parse(condition.value || 'null') as string[] | null;
  return (ids ?? []).some((id) => {
    const segment = segments.get(id) as Segment;
    if (segment.excluded.includes(user.keyId)) return false;
    if (segment.included.includes(user.keyId)) return true;
    return segment.rules.some((rule) => rule.conditions.every((inner) => holds(inner, user, segments)));
  });
}

function attributeOf(user: UserDocument, property: string): string | null | undefined {
  if (property === 'keyId') return user.keyId;
  if (property === 'name') return user.name ?? null;
  return user.customizedProperties.find(({ name }) => name === property)?.value;
}

function matches(op: string | null, text: string, value: string): boolean {
  switch (op) {
    case 'LessThan':
      return Number.parseFloat(text) < Number.parseFloat(value);
    case 'LessEqualThan':
      return Number.parseFloat(text) <= Number.parseFloat(value);
    case 'BiggerThan':
      return Number.parseFloat(text) > Number.parseFloat(value);
    case 'BiggerEqualThan':
      return Number.parseFloat(text) >= Number.parseFloat(value);
    case 'Equal':
      return text === value;
    case 'NotEqual':
      return text !== value;
    case 'Contains':
      return text.includes(value);
    case 'NotContain':
      return !text.includes(value);
    case 'StartsWith':
      return text.startsWith(value);
    case 'EndsWith':
      return text.endsWith(value);
    case 'MatchRegex':
      return new RegExp(value).test(text);
    case 'NotMatchRegex':
      return !new RegExp(value).test(text);
    case 'IsOneOf':
      return JSON.parse(value).includes(text);
    case 'NotOneOf':
      return !JSON.parse(value).includes(text);
    case 'IsTrue':
      return text.toLowerCase() === 'true';
    case 'IsFalse':
      return text.toLowerCase() === 'false';
    default:
      return false;
  }
}
