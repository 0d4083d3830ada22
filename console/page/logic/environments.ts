import type { EnvironmentName } from '../../api.ts';
import { inOrder } from './search.ts';

/** Environments by name. */
export function sortedByName(environments: readonly EnvironmentName[]): EnvironmentName[] {
  return environments.toSorted((a, b) => inOrder(a.name, b.name));
}

/**
 * The environment to open if the address names none: the last used one, else the first that is not production, else
 * the only one.
 *
 * @param environments by name
 * @returns undefined if the user must choose
 */
export function environmentToOpen(
  environments: readonly EnvironmentName[],
  lastUsed: string | undefined,
): EnvironmentName | undefined {
  const [only] = environments;
  return (
    environments.find(({ id }) => id === lastUsed) ??
    environments.find(({ isProduction }) => !isProduction) ??
    (environments.length === 1 ? only : undefined)
  );
}
