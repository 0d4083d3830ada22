import { type Flag, parseFlag, type VariationType } from './flag.ts';
import { InvalidInput } from './invalidInput.ts';
import { formatProblem } from './problem.ts';
import type { TargetingRule } from './rule.ts';
import { replaceRule } from './ruleEdits.ts';
import { changedRollout, everybody, type RolloutChange } from './shares.ts';
import { requireValueOfType } from './variationValue.ts';

/** What a new flag is made of. */
interface NewFlag {
  readonly key: string;
  readonly name: string;
  readonly variationType: VariationType;
  /** The values of its variations. */
  readonly values: readonly string[];
}

/** A new flag: off, which gives everybody its last variation, and once it is on the first. @throws {InvalidInput} */
export function newFlag(uuid: () => string, { key, name, variationType, values }: NewFlag): Flag {
  for (const value of values) requireValueOfType(variationType, value);
  const variations = values.map((value) => ({ id: uuid(), name: value, value }));
  const result = parseFlag({
    id: uuid(),
    key,
    name,
    variationType,
    variations,
    isEnabled: false,
    disabledVariationId: variations.at(-1)?.id,
    fallthrough: { dispatchKey: null, includedInExpt: true, variations: everybody(variations[0]?.id ?? '') },
  });
  if (result.ok) return result.value;
  throw new InvalidInput(`flag "${key}" is not valid: ${result.problems.map(formatProblem).join('; ')}`);
}

/**
 * Changes the percentage rollout of a rule, or of the fallthrough. Shares of an experiment end that all users are sent to it,
 * which would leave them without effect.
 *
 * @param rule one of the flag's; undefined for the fallthrough
 */
export function withRollout(flag: Flag, change: RolloutChange, rule?: TargetingRule): Flag {
  const sampled = change.experiment?.length ? { exptIncludeAllTargets: false } : {};
  if (!rule) return { ...flag, ...sampled, fallthrough: changedRollout(flag, flag.fallthrough, change) };
  return { ...flag, ...sampled, rules: replaceRule(flag.rules, rule, changedRollout(flag, rule, change)) };
}

/** Targets users with a variation, and removes them from the other variations' targets. */
export function withTarget(flag: Flag, variationId: string, keyIds: readonly string[]): Flag {
  const others = withoutTarget(flag, keyIds).targetUsers;
  const before = others.find((target) => target.variationId === variationId);
  if (!before) return { ...flag, targetUsers: [...others, { variationId, keyIds }] };
  const targetUsers = others.map((target) =>
    target === before ? { ...before, keyIds: [...before.keyIds, ...keyIds] } : target,
  );
  return { ...flag, targetUsers };
}

/** Removes users from all targets. */
export function withoutTarget(flag: Flag, keyIds: readonly string[]): Flag {
  const targetUsers = flag.targetUsers.map((target) => ({
    ...target,
    keyIds: target.keyIds.filter((keyId) => !keyIds.includes(keyId)),
  }));
  return { ...flag, targetUsers };
}
