/** Resolution of the search: rates within 5 % count as equal. */
const CLOSE_ENOUGH = 0.05;

/**
 * Searches for the highest rate that meets the thresholds: doubles until one fails, then bisects.
 *
 * @param attempt runs a rate and returns whether it met them; undefined if the run does not count
 * @returns the highest passing rate, 0 if none; and why the search ended, unless the rate is the limit
 */
export async function findMax(
  first: number,
  attempt: (rate: number) => Promise<boolean | undefined>,
): Promise<{ rate: number; limitedBy?: string }> {
  let low = 0;
  let high: number | undefined;
  for (let rate = first; high === undefined || high - low > Math.max(1, CLOSE_ENOUGH * low); rate = next(low, high)) {
    const isKept = await attempt(rate);
    if (isKept === undefined) return { rate: low, limitedBy: `the generator's limit at ${rate} a second` };
    if (isKept) low = rate;
    else high = rate;
    if (high !== undefined && high <= 1) break;
  }
  return { rate: low };
}

function next(low: number, high: number | undefined): number {
  return high === undefined ? low * 2 : Math.max(1, Math.round((low + high) / 2));
}
