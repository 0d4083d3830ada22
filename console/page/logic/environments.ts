import type { EnvironmentName } from '../../api.ts';
import { inOrder } from './search.ts';

/** Environments by name. */
export function sortedByName(environments: readonly EnvironmentName[]): EnvironmentName[] {
  return environments.toSorted((a, b) => inOrder(a.name, b.name));
}

/**
 * The environment to open if the address names none: the last used one, else the one of the keys of `npm start`, else
 * the first that is not production, else the only one.
 *
 * @param environments by name
 * @param preferred ids in order of preference
 * @returns undefined if the user must choose
 */
export function environmentToOpen(
  environments: readonly EnvironmentName[],
  ...preferred: readonly (string | undefined)[]
): EnvironmentName | undefined {
  const [only] = environments;
  return (
    preferred.flatMap((wanted) => environments.find(({ id }) => id === wanted) ?? [])[0] ??
    environments.find(({ isProduction }) => !isProduction) ??
    (environments.length === 1 ? only : undefined)
  );
}
