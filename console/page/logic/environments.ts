import type { EnvironmentName } from '../../api.ts';

/** Environments by name. */
export function sortedByName(environments: readonly EnvironmentName[]): EnvironmentName[] {
  return environments.toSorted((a, b) => a.name.localeCompare(b.name, undefined, { numeric: true }));
}

/**
 * The environment that opens where the address names none: the last used one, else the first that is not production. Production
 * opens by itself only where there is nothing else.
 *
 * @param environments by name
 * @returns undefined where somebody must choose
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
