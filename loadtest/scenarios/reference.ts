import { type Load, type Plan, REFERENCE_CRITERIA } from './plan.ts';

/**
 * FeatBit's published benchmark: N new connections a second for 20 s, each followed by a data-sync, then all of them held
 * with pings until 180 s are over.
 */
export function reference({ rate, rampS, durationS, pingS }: Load): Plan {
  return {
    phases: [{ name: 'ramp', duration: rampS, arrivalRate: rate }],
    life: { endMs: durationS * 1_000, pingMs: pingS * 1_000 },
    peak: rate * rampS,
    rampS,
    durationS,
    ensure: REFERENCE_CRITERIA,
  };
}
