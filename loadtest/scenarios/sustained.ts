import { type Load, type Plan, REFERENCE_CRITERIA } from './plan.ts';

/** N new connections a second from beginning to end, each living for a given time: what the benchmark's prose suggests. */
export function sustained({ rate, durationS, liveS, pingS }: Load): Plan {
  return {
    phases: [{ name: 'arrivals', duration: durationS, arrivalRate: rate }],
    life: { endMs: (durationS + liveS) * 1_000, liveMs: liveS * 1_000, pingMs: pingS * 1_000 },
    peak: rate * Math.min(liveS, durationS),
    rampS: durationS,
    durationS: durationS + liveS,
    ensure: REFERENCE_CRITERIA,
  };
}
