import type { Flag } from '../../../shared/flags/flag.ts';
import type { Rollout } from '../../../shared/flags/rule.ts';
import { changedRollout, isSplit, nameOfVariation, widthsOf } from '../../../shared/flags/shares.ts';

/** A variation's share of a rollout. */
export interface ShareField {
  readonly variationId: string;
  readonly name: string;
  /** The typed percentage. */
  readonly percent: string;
}

/**
 * Converts a rollout to fields. Variations with a share come first, in the order of the shares, because the order
 * decides which users keep their variation.
 */
export function shareFields(flag: Flag, { variations }: Pick<Rollout, 'variations'>): ShareField[] {
  const widths = widthsOf(variations);
  for (const { id } of flag.variations) if (!widths.has(id)) widths.set(id, 0);
  return Array.from(widths, ([id, width]) => ({
    variationId: id,
    name: nameOfVariation(flag, id),
    percent: String(Math.round(width * 10_000) / 100),
  }));
}

/** The shares for a bar. `index` is the position of the variation in the flag. */
export function barParts(flag: Flag, shares: readonly ShareField[]) {
  return shares.map(({ variationId, name, percent }) => ({
    name,
    variationId,
    percent: Number(percent),
    index: flag.variations.findIndex(({ id }) => id === variationId),
  }));
}

/** The variation for everyone. Undefined for a percentage rollout. */
export function onlyVariation({ variations }: Pick<Rollout, 'variations'>): string | undefined {
  return isSplit(variations) ? undefined : variations[0]?.id;
}

/** Sum of the typed percentages. NaN if one is not a number. */
export function sumOfShares(fields: readonly ShareField[]): number {
  return Math.round(fields.reduce((sum, { percent }) => sum + numberIn(percent), 0) * 100) / 100;
}

/**
 * Updates the shares after one was typed. Of two variations, the other one gets the rest of 100 %, unless it was
 * typed too.
 *
 * @param typed variations whose shares were typed before
 */
export function withTyped(
  fields: readonly ShareField[],
  { variationId, percent }: Pick<ShareField, 'variationId' | 'percent'>,
  typed: ReadonlySet<string>,
): ShareField[] {
  const left = Math.round((100 - numberIn(percent)) * 100) / 100;
  return fields.map((field) => {
    if (field.variationId === variationId) return { ...field, percent };
    const isOpen = fields.length === 2 && left >= 0 && !typed.has(field.variationId);
    return isOpen ? { ...field, percent: String(left) } : field;
  });
}

/** Converts fields to a rollout. @throws {InvalidInput} if they do not sum to 100 % */
export function withShares<R extends Rollout>(flag: Flag, rollout: R, fields: readonly ShareField[]): R {
  const shares = fields.map(({ variationId, percent }) => `${variationId}=${percent.trim() || '0'}`);
  return changedRollout(flag, rollout, { shares });
}

/** Parses a percentage. NaN if it is not a number. */
export function numberIn(percent: string): number {
  const text = percent.trim();
  return text === '' ? 0 : /^\d+(\.\d{1,2})?$/.test(text) ? Number(text) : Number.NaN;
}
