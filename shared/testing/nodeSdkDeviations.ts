import { compareWithSdk } from '../describe/sdks/sdkConditions.ts';
import type { Flag } from '../flags/flag.ts';
import { type Condition, isSegmentCondition, type Rollout } from '../flags/rule.ts';
import type { Segment } from '../flags/segment.ts';
import type { User } from '../flags/user.ts';

/** A flag to evaluate for a user, with the segments of its environment. */
export interface EvaluationCase {
  readonly flag: Flag;
  readonly user: User;
  readonly segments: readonly Segment[];
}

/**
 * The known differences between FeatBit's Node server SDK 1.3.0 and FeatBit's server, whose results this service
 * returns.
 */
interface Deviation {
  readonly name: string;
  readonly why: string;
  /** What it may change: value and variation, or only whether the event belongs to the experiment. */
  readonly affects: 'result' | 'experiment';
  /** Whether a case may have another result in the SDK because of it. */
  readonly applies: (test: EvaluationCase) => boolean;
}

/** Every deviation in generated cases. nodeSdk.property.test.ts shows that each is needed. */
export const NODE_SDK_DEVIATIONS: readonly Deviation[] = [
  {
    name: 'archived flags are evaluated',
    why: 'the SDK ignores isArchived; the server returns null',
    affects: 'result',
    applies: ({ flag }) => flag.isArchived,
  },
  {
    name: 'a condition has another result',
    why: 'see sdkConditions.ts, which has all SDKs',
    affects: 'result',
    applies: asksAny(({ op, value }, text) => {
      if (text === null || op === null || value === null) return false;
      const found = compareWithSdk('Node', op, value, text ?? null);
      return found.answer !== found.own;
    }),
  },
  {
    name: 'a rollout by a missing attribute hashes "undefined"',
    why: 'the SDK reads undefined, and the server empty text',
    affects: 'result',
    applies: ({ flag, user }) => rollouts(flag).some(({ dispatchKey }) => lacks(user, dispatchKey)),
  },
  {
    name: 'a name that was not sent is empty',
    why: 'the server never matches a condition on a null name; the SDK’s user builder turns it into empty text',
    affects: 'result',
    applies: asksAny(({ property }, _, user) => property === 'name' && user.name === null),
  },
  {
    name: 'a list of segments may hold anything',
    why: 'the SDK skips invalid ids, so "not in" matches; the server’s sync fails; here the condition never matches',
    affects: 'result',
    applies: asksAny((condition) => isSegmentCondition(condition) && !isListOfTexts(condition.value ?? '[]')),
  },
  {
    name: 'an unknown variation throws or is malformed',
    why: 'the SDK reads the value of a missing variation; the server returns null',
    affects: 'result',
    applies: ({ flag }) => {
      const used = [flag.disabledVariationId, ...flag.targetUsers.map((target) => target.variationId)];
      const shared = rollouts(flag).flatMap((rollout) => rollout.variations.map(({ id }) => id));
      return [...used, ...shared].some((id) => flag.variations.every((variation) => variation.id !== id));
    },
  },
  {
    name: 'rules sample experiments by the fallthrough’s setting',
    why: 'the SDK passes the fallthrough’s includedInExpt for every rule',
    affects: 'experiment',
    applies: ({ flag }) =>
      !flag.exptIncludeAllTargets && flag.rules.some((rule) => rule.includedInExpt !== flag.fallthrough.includedInExpt),
  },
  {
    name: 'nobody’s bucket makes no event',
    why: 'the SDK calls the flag malformed; the server sends the empty variation to the experiment of all targets',
    affects: 'experiment',
    applies: ({ flag }) => flag.exptIncludeAllTargets && rollouts(flag).some(leavesGap),
  },
];

/** Whether a condition that the flag may evaluate, in its rules or segments, satisfies a test. */
function asksAny(isMet: (condition: Condition, text: string | null | undefined, user: User) => boolean) {
  return ({ flag, user, segments }: EvaluationCase) => {
    const own = flag.rules.flatMap((rule) => rule.conditions);
    const ids = own.filter(isSegmentCondition).flatMap(({ value }) => elementsOf(value));
    const ofSegments = segments
      .filter(({ id }) => ids.includes(id))
      .flatMap((segment) => segment.rules.flatMap((rule) => rule.conditions));
    return [...own, ...ofSegments].some((condition) => isMet(condition, textOf(user, condition.property), user));
  };
}

const rollouts = (flag: Flag) => [...flag.rules, flag.fallthrough];

function textOf(user: User, property: string): string | null | undefined {
  if (property === 'keyId') return user.keyId;
  return property === 'name' ? user.name : user.attributes.get(property);
}

const lacks = (user: User, dispatchKey: string | null) =>
  dispatchKey !== null && dispatchKey.trim() !== '' && textOf(user, dispatchKey) === undefined;

/** Whether some bucket is outside all shares of a rollout. */
function leavesGap({ variations }: Rollout): boolean {
  const reached = variations
    .map(({ rollout }) => rollout)
    .toSorted(([a], [b]) => a - b)
    .reduce((end, [lower, upper]) => (lower <= end ? Math.max(end, upper) : end), 0);
  return reached < 1;
}

/** The elements of a JSON array. Empty for anything else. */
function elementsOf(value: string | null): unknown[] {
  try {
    const list: unknown = JSON.parse(value ?? '');
    return Array.isArray(list) ? list : [];
  } catch {
    return [];
  }
}

function isListOfTexts(value: string | null): boolean {
  const list = elementsOf(value);
  return (list.length > 0 || value === '[]') && list.every((item) => typeof item === 'string');
}
