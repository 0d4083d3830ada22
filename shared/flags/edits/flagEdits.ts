import { equalVariations, type Flag, parseFlag, problemOfNewKey } from '../flag.ts';
import { InvalidInput } from '../invalidInput.ts';
import { formatProblem } from '../problem.ts';
import type { TargetingRule } from '../rule.ts';
import { changedRollout, everybody, type RolloutChange } from '../shares.ts';
import { requireValueOfType } from '../variationValue.ts';
import { replaceRule } from './ruleEdits.ts';

/** The properties of a new flag. */
interface NewFlag extends Pick<Flag, 'key' | 'name' | 'variationType'> {
  /** The values of its variations. */
  readonly values: readonly string[];
}

/** Creates a flag. It is off and serves the last variation. Once on, it serves the first. @throws {InvalidInput} */
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
  const problem = result.ok
    ? (problemOfNewKey(key) ?? equalVariations(result.value)[0])
    : result.problems.map(formatProblem).join('; ');
  if (result.ok && problem === undefined) return result.value;
  throw new InvalidInput(`flag "${key}" is not valid: ${problem}`);
}

/**
 * Changes the percentage rollout of a rule or of the default. Setting an experiment's shares also turns off "send all
 * users", which would override them.
 *
 * @param rule one of the flag's rules; undefined for the default
 */
export function withRollout(flag: Flag, change: RolloutChange, rule?: TargetingRule): Flag {
  const sampled = change.experiment?.length ? { exptIncludeAllTargets: false } : {};
  if (!rule) return { ...flag, ...sampled, fallthrough: changedRollout(flag, flag.fallthrough, change) };
  return { ...flag, ...sampled, rules: replaceRule(flag.rules, rule, changedRollout(flag, rule, change)) };
}

/** Adds users to a variation's targets, and removes them from other variations' targets. */
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
  const unwanted = new Set(keyIds);
  const targetUsers = flag.targetUsers.map((target) => ({
    ...target,
    keyIds: target.keyIds.filter((keyId) => !unwanted.has(keyId)),
  }));
  return { ...flag, targetUsers };
}
