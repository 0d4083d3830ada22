import { type Flag, parseFlag, type Variation, type VariationType } from '../../shared/flags/flag.ts';
import { formatProblem } from '../../shared/flags/problem.ts';
import type { RolloutVariation } from '../../shared/flags/rule.ts';
import { CliError } from './io.ts';

/** A new flag in FeatBit's initial state: on, everybody gets the first variation, the last one while it is off. */
export function newFlag(
  uuid: () => string,
  key: string,
  name: string,
  variationType: VariationType,
  values: readonly string[],
): Flag {
  const variations = values.map((value) => ({ id: uuid(), name: value, value }));
  const result = parseFlag({
    id: uuid(),
    key,
    name,
    variationType,
    variations,
    isEnabled: true,
    disabledVariationId: variations.at(-1)?.id,
    fallthrough: { dispatchKey: null, includedInExpt: true, variations: everybody(variations[0]?.id ?? '') },
  });
  if (result.ok) return result.value;
  throw new CliError(`flag "${key}" is not valid: ${result.problems.map(formatProblem).join('; ')}`);
}

/** A variation by its name, value or id. @throws {CliError} naming the variations that exist */
export function findVariation(flag: Flag, named: string): Variation {
  const found = flag.variations.find(({ id, name, value }) => named === id || named === name || named === value);
  if (found) return found;
  const known = flag.variations.map(({ name, value }) => name ?? value).join(', ');
  throw new CliError(`flag "${flag.key}" has no variation "${named}"; its variations are: ${known}`);
}

/**
 * Sets the percentage rollout of a rule, or of the fallthrough.
 *
 * @param shares variations with percentages that sum to 100: `true=10`
 * @param ruleNamed name or id of a rule; undefined for the fallthrough
 * @param by attribute that places users; undefined leaves it as it is
 */
export function withRollout(flag: Flag, shares: readonly string[], ruleNamed?: string, by?: string): Flag {
  const variations = toRanges(flag, shares);
  const dispatch = by === undefined ? {} : { dispatchKey: by };
  if (ruleNamed === undefined) return { ...flag, fallthrough: { ...flag.fallthrough, ...dispatch, variations } };

  const rule = flag.rules.find(({ id, name }) => ruleNamed === id || ruleNamed === name);
  if (!rule) {
    const known = flag.rules.map(({ name }) => name).join(', ') || 'none';
    throw new CliError(`flag "${flag.key}" has no rule "${ruleNamed}"; its rules are: ${known}`);
  }
  const rules = flag.rules.map((other) => (other === rule ? { ...rule, ...dispatch, variations } : other));
  return { ...flag, rules };
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

/** Percentages as cumulative ranges: whole hundredths of a percent are added, so that there is no rounding error. */
function toRanges(flag: Flag, shares: readonly string[]): RolloutVariation[] {
  let upTo = 0;
  const ranges = shares.map((share): RolloutVariation => {
    const at = share.lastIndexOf('=');
    const [, percent] = /^(\d+(?:\.\d{1,2})?)%?$/.exec(share.slice(at + 1)) ?? [];
    if (at < 0 || percent === undefined) {
      throw new CliError(`"${share}" is not a share; write a variation and a percentage, such as true=10 or true=12.5`);
    }
    const from = upTo;
    upTo += Math.round(Number(percent) * 100);
    return { id: findVariation(flag, share.slice(0, at)).id, rollout: [from / 10_000, upTo / 10_000], exptRollout: 1 };
  });
  if (upTo !== 10_000) throw new CliError(`the shares sum to ${upTo / 100} %; they must sum to 100 %`);
  return ranges.filter(({ rollout: [lower, upper] }) => upper > lower);
}

function everybody(id: string): RolloutVariation[] {
  return [{ id, rollout: [0, 1], exptRollout: 1 }];
}
