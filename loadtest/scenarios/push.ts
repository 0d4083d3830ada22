import type { Load, Plan } from './plan.ts';

/** Time between the last connection and the first flip, and after the last one, in seconds. */
export const SETTLE_S = 5;

/** Holds connections, and flips a flag on a schedule: how long from the write to every client. */
export function push({ rate, connections, flips, flipEveryS, pingS }: Load): Plan {
  const rampS = connections / rate;
  const durationS = rampS + flips * flipEveryS + 2 * SETTLE_S;
  return {
    phases: [{ name: 'climb', duration: rampS, arrivalRate: rate }],
    life: { endMs: durationS * 1_000, pingMs: pingS * 1_000 },
    peak: connections,
    rampS,
    durationS,
    ensure: [{ 'push.p99': 1_000 }, { 'changes.missing': 0 }, { 'errors.percent': 0 }],
  };
}

/** The same for many connections and few changes, held to when the last client had each. */
export function fanout(load: Load): Plan {
  return {
    ...push(load),
    ensure: [{ 'acknowledged to last.p99': 1_000 }, { 'changes.missing': 0 }, { 'errors.percent': 0 }],
  };
}
