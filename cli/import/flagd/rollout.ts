import type { Flag } from '../../../shared/flags/flag.ts';
import { ROLLOUT_TOLERANCE, type Rollout } from '../../../shared/flags/rule.ts';
import { isBlank } from '../../../shared/flags/user.ts';
import { Inexpressible, type Logic, textOf } from './targeting.ts';

/** A variation's name in flagd's file. @throws {Inexpressible} for an unknown variation */
type VariantOf = (variationId: string) => string;

/** The names of a flag's variations in flagd's file: their own names if these are unique, else their ids. */
export function variantsOf({ variations }: Flag): VariantOf {
  const names = variations.map(({ name }) => name ?? '');
  const isNamed = !names.includes('') && new Set(names).size === names.length;
  return (id) => {
    const variation = variations.find((candidate) => candidate.id === id);
    if (!variation) throw new Inexpressible(`the variation "${id}", which does not exist`);
    return isNamed ? (variation.name ?? id) : id;
  };
}

/** The non-empty shares of a rollout, in order. */
export function sharesOf({ variations }: Rollout) {
  return variations
    .map(({ id, rollout: [lower, upper] }) => ({ id, lower, upper }))
    .filter(({ lower, upper }) => upper > lower)
    .sort((a, b) => a.lower - b.lower);
}

/**
 * A rollout as JsonLogic: the name of one variation, or `fractional` with whole weights. flagd selects other users.
 *
 * @throws {Inexpressible} if shares leave users out or overlap
 */
export function rolloutLogic(rollout: Rollout, variantOf: VariantOf): Logic {
  const shares = sharesOf(rollout);
  let covered = 0;
  for (const { lower, upper } of shares) {
    if (Math.abs(lower - covered) > ROLLOUT_TOLERANCE) break;
    covered = upper;
  }
  const isWhole = shares.length > 0 && shares.at(-1)?.upper === covered && 1 - covered <= ROLLOUT_TOLERANCE;
  if (!isWhole) throw new Inexpressible('percentages that leave users out, or overlap');

  const [first] = shares;
  if (first && shares.length === 1) return variantOf(first.id);
  const widths = shares.map(({ lower, upper }) => upper - lower);
  const isPercent = widths.every((width) => Math.abs(width * 100 - Math.round(width * 100)) < ROLLOUT_TOLERANCE);
  const scale = isPercent ? 100 : 100_000;
  const weighted = shares.map(({ id }, n) => [variantOf(id), Math.round((widths[n] ?? 0) * scale)]);
  const property = rollout.dispatchKey ?? '';
  const isByKey = isBlank(property) || property === 'keyId';
  return { fractional: isByKey ? weighted : [{ cat: [{ var: '$flagd.flagKey' }, textOf(property)] }, ...weighted] };
}
