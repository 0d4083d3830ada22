/** Rates that are told apart: within a twentieth of each other they count as one. */
const CLOSE_ENOUGH = 0.05;

/** A rate that was tried. */
interface Attempt {
  readonly rate: number;
  readonly isKept: boolean;
}

/**
 * Looks for the highest rate that keeps the thresholds: doubles until one does not, then halves what is between.
 *
 * @param attempt makes a run at a rate, and says whether it kept them; undefined when it says nothing of the server
 * @returns the highest rate that did, 0 when none; and why the search ended where it is not known to be the limit
 */
export async function findMax(
  first: number,
  attempt: (rate: number) => Promise<boolean | undefined>,
): Promise<{ rate: number; tried: readonly Attempt[]; limitedBy?: string }> {
  const tried: Attempt[] = [];
  let low = 0;
  let high: number | undefined;
  for (let rate = first; high === undefined || high - low > Math.max(1, CLOSE_ENOUGH * low); rate = next(low, high)) {
    const isKept = await attempt(rate);
    if (isKept === undefined) {
      if (low > 0) return { rate: low, tried, limitedBy: `the generator, at ${rate} a second` };
      return { rate: 0, tried, limitedBy: `the generator, at ${rate} a second already` };
    }
    tried.push({ rate, isKept });
    if (isKept) low = rate;
    else high = rate;
    if (high !== undefined && high <= 1) break;
  }
  return { rate: low, tried };
}

function next(low: number, high: number | undefined): number {
  return high === undefined ? low * 2 : Math.max(1, Math.round((low + high) / 2));
}
