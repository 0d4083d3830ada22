/**
 * How often a property is tried: as often as it asks, unless `FC_MAX_RUNS` sets a bound, as mutation testing does, which
 * runs it for every mutant again.
 */
export function runs(wanted: number): number {
  return Math.min(wanted, Number(process.env['FC_MAX_RUNS'] ?? wanted));
}
