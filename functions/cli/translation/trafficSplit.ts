import type { Rollout } from '../../../shared/flags/rule.ts';
import { Untranslatable } from './translation.ts';

/** Who gets which variation: one for everybody, or shares of several. */
export type TrafficSplit = Pick<Rollout, 'dispatchKey' | 'variations'>;

/**
 * Variations by weight, in order.
 *
 * @param dispatchKey the attribute that users are divided by; null for their key
 * @throws {Untranslatable} when nobody gets any
 */
export function trafficSplit(
  dispatchKey: string | null,
  weighted: readonly (readonly [id: string, weight: number])[],
): TrafficSplit {
  const total = weighted.reduce((sum, [, weight]) => sum + weight, 0);
  if (total === 0) throw new Untranslatable('weights that are nothing together');
  let before = 0;
  const variations = weighted.map(([id, weight]) => {
    const lower = before / total;
    before += weight;
    return { id, rollout: [lower, before / total] as const, exptRollout: 1 };
  });
  return { dispatchKey, variations: variations.filter(({ rollout: [lower, upper] }) => upper > lower) };
}

/** One variation for everybody. */
export function everybody(id: string): TrafficSplit {
  return trafficSplit(null, [[id, 1]]);
}
