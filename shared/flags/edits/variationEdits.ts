import type { Flag, Variation } from '../flag.ts';
import { InvalidInput } from '../invalidInput.ts';
import { nameOfVariation } from '../shares.ts';
import { comparableValue, requireValueOfType } from '../variationValue.ts';

/**
 * Adds a variation that is not served yet. @throws {InvalidInput} if its value does not match the flag's type, or its
 * name exists
 */
export function withVariation(flag: Flag, variation: Variation): Flag {
  return checked({ ...flag, variations: [...flag.variations, variation] }, variation);
}

/** Changes a variation's value or name. Its users get the new value. @throws {InvalidInput} as {@link withVariation} */
export function withChangedVariation(flag: Flag, before: Variation, change: Partial<Variation>): Flag {
  const { id } = before;
  const variations = flag.variations.map((other) => (other.id === id ? { ...other, ...change } : other));
  const changed = variations.find((other) => other.id === id);
  return changed ? checked({ ...flag, variations }, changed, before) : flag;
}

/** Removes a variation that is not served. @throws {InvalidInput} with the places that serve it */
export function withoutVariation(flag: Flag, variation: Variation): Flag {
  const uses = usesOf(flag, variation.id);
  if (uses.length > 0) {
    throw new InvalidInput(
      `variation "${nameOfVariation(flag, variation.id)}" of flag "${flag.key}" cannot be removed: it is served ${uses.join(', ')}`,
    );
  }
  return {
    ...flag,
    variations: flag.variations.filter(({ id }) => id !== variation.id),
    targetUsers: flag.targetUsers.filter(({ variationId }) => variationId !== variation.id),
  };
}

function usesOf(flag: Flag, id: string): string[] {
  return [
    ...(flag.disabledVariationId === id ? ['while the flag is off'] : []),
    ...(flag.targetUsers.some(({ variationId, keyIds }) => variationId === id && keyIds.length > 0)
      ? ['to targeted users']
      : []),
    ...flag.rules
      .filter(({ variations }) => variations.some((share) => share.id === id))
      .map(({ name }) => `by rule "${name}"`),
    ...(flag.fallthrough.variations.some((share) => share.id === id) ? ['when no rule matches'] : []),
  ];
}

/** A new name or value must identify one variation. What an import has left equal can still be changed. */
function checked(flag: Flag, { id, name, value }: Variation, before?: Variation): Flag {
  const { variationType } = flag;
  const isNewValue = value !== before?.value;
  if (isNewValue) requireValueOfType(variationType, value);
  const own = isNewValue ? comparableValue(variationType, value) : undefined;
  const ownName = name && name !== before?.name ? name : undefined;
  const other = flag.variations.find(
    (each) =>
      each.id !== id &&
      ((own !== undefined && comparableValue(variationType, each.value) === own) ||
        (ownName !== undefined && each.name === ownName)),
  );
  if (!other) return flag;
  const shown = nameOfVariation({ variations: [other] }, other.id);
  throw new InvalidInput(`flag "${flag.key}" already has a variation "${shown}"`);
}
