/**
 * Number of runs of a property. `FC_MAX_RUNS` sets a maximum. Mutation testing uses it, because it repeats each
 * property for every mutant.
 */
export function runs(wanted: number): number {
  return Math.min(wanted, Number(process.env['FC_MAX_RUNS'] ?? wanted));
}

/**
 * Number of runs of a property with slow runs, such as a service's whole life. It is `wanted` with `FC_LONG=1`, which
 * `.ci/nightly` sets. Otherwise it is an eighth of that, with other inputs each time.
 */
export function longRuns(wanted: number): number {
  return process.env['FC_LONG'] === '1' ? wanted : runs(Math.ceil(wanted / 8));
}
