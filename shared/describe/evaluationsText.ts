import type { Flag } from '../flags/flag.ts';
import { nameOfVariation } from '../flags/shares.ts';

/**
 * How often a flag was evaluated, by variation: `evaluated 536 times in development in the last 24 hours (true 300, false 236)`.
 *
 * @param environment its name
 * @param counts of the last 24 hours, by variation id
 */
export function evaluationsText(flag: Flag, environment: string, counts: Iterable<readonly [string, number]>): string {
  // The table keeps counts in no order.
  const served = [...counts].filter(([, count]) => count > 0).sort(([, a], [, b]) => b - a);
  const total = served.reduce((sum, [, count]) => sum + count, 0);
  if (total === 0) return `not evaluated in ${environment} in the last 24 hours`;
  const parts = served.map(([id, count]) => `${nameOfVariation(flag, id) || 'no variation'} ${count}`);
  const times = total === 1 ? 'once' : `${total} times`;
  return `evaluated ${times} in ${environment} in the last 24 hours (${parts.join(', ')})`;
}
