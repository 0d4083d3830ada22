import type { Flag } from '../flag.ts';
import { InvalidInput } from '../invalidInput.ts';
import { ROLLOUT_TOLERANCE, type RolloutVariation, type TargetingRule } from '../rule.ts';
import { everybody, nameOfVariation } from '../shares.ts';
import { replaceRule } from './ruleEdits.ts';

type Range = readonly [lower: number, upper: number];

/**
 * The flag with a larger share of a variation in a rule. Users of the variation keep it. All other users of the rule keep theirs or
 * change to it. The shares of the other variations shrink in proportion.
 *
 * @param share of the users of the rule, in [0,1]
 * @param rule one of the flag's rules. Default: the default rule
 * @throws {InvalidInput} if the variation has a larger share, or if the present shares have gaps or overlaps
 */
export function withGrownShare(flag: Flag, variationId: string, share: number, rule?: TargetingRule): Flag {
  const ranges = (rule ?? flag.fallthrough).variations.filter(({ rollout: [lower, upper] }) => upper > lower);
  const sorted = ranges.toSorted((a, b) => a.rollout[0] - b.rollout[0]);
  requirePartition(flag, rule, sorted);
  const rest = sorted.reduce((sum, { id, rollout }) => (id === variationId ? sum : sum + rollout[1] - rollout[0]), 0);
  if (share < 1 - rest - ROLLOUT_TOLERANCE) {
    const name = nameOfVariation(flag, variationId);
    throw new InvalidInput(
      `${percent(share)} % is too small: ${percent(1 - rest)} % of the users have ${name} already, and a gradual rollout never takes it away`,
    );
  }
  const factor = (1 - share) / rest;
  const variations = isNear(share, 1) ? everybody(variationId) : grownRanges(ranges, sorted, variationId, factor);
  if (!rule) return { ...flag, fallthrough: { ...flag.fallthrough, variations } };
  return { ...flag, rules: replaceRule(flag.rules, rule, { ...rule, variations }) };
}

/** @param factor by which the other variations shrink */
function grownRanges(
  ranges: readonly RolloutVariation[],
  sorted: readonly RolloutVariation[],
  id: string,
  factor: number,
): RolloutVariation[] {
  const grown: Range[] = [];
  const others = new Map<RolloutVariation, Range>();
  for (const [n, range] of sorted.entries()) {
    const [lower, upper] = range.rollout;
    const width = range.id === id ? 0 : (upper - lower) * factor;
    const last = grown.at(-1);
    // Ranges of the variation grow at their ends, so that there are few. A range in between may be narrower than the tolerance.
    const follows = last !== undefined && last[1] === sorted[n - 1]?.rollout[1];
    const border = follows ? Math.max(lower, rounded(upper - width)) : Math.min(upper, rounded(lower + width));
    const edge = width > 0 ? border : follows ? upper : lower;
    if (follows) grown.splice(-1, 1, [last[0], edge]);
    else if (upper > edge) grown.push([edge, upper]);
    others.set(range, follows ? [edge, upper] : [lower, edge]);
  }
  const exptRollout = ranges.find((range) => range.id === id)?.exptRollout ?? 1;
  // The first range decides for a user on a border. So the others keep their order.
  return [
    ...grown.map((rollout) => ({ id, rollout, exptRollout })),
    ...ranges
      .map((range) => ({ ...range, rollout: others.get(range) ?? range.rollout }))
      .filter(({ rollout: [lower, upper] }) => upper > lower),
  ];
}

function requirePartition({ key }: Flag, rule: TargetingRule | undefined, sorted: readonly RolloutVariation[]): void {
  const uppers = [0, ...sorted.map(({ rollout }) => rollout[1])];
  const lowers = [...sorted.map(({ rollout }) => rollout[0]), 1];
  if (lowers.every((lower, index) => isNear(lower, uppers[index] as number))) return;
  const [what, command] = rule
    ? [`rule "${rule.name}"`, `rule edit ${key} <rule> <shares...>`]
    : ['the default rule', `rollout ${key} <shares...>`];
  throw new InvalidInput(
    `the shares in ${what} of flag "${key}" have gaps or overlaps; first set them with: ${command}`,
  );
}

function isNear(one: number, other: number): boolean {
  return Math.abs(one - other) < ROLLOUT_TOLERANCE;
}

function rounded(bound: number): number {
  return Math.round(bound * 1e6) / 1e6;
}

function percent(share: number): number {
  return Math.round(share * 10_000) / 100;
}
