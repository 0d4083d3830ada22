/**
 * How often a property is tried: as often as it asks, unless `FC_MAX_RUNS` sets a bound, as mutation testing does, which
 * runs it for every mutant again.
 */
export function runs(wanted: number): number {
  return Math.min(wanted, Number(process.env['FC_MAX_RUNS'] ?? wanted));
}

/**
 * How often a property is tried each of whose runs takes long, such as the life of a whole service: `wanted` times with
 * `FC_LONG=1`, as `.ci/run` has it, and an eighth of that otherwise, on other inputs each time.
 */
export function longRuns(wanted: number): number {
  return process.env['FC_LONG'] === '1' ? wanted : runs(Math.ceil(wanted / 8));
}
