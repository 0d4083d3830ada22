import type { Load, Plan } from './plan.ts';

/** Time for the last answers, in seconds. */
const SLACK_S = 10;

/**
 * StormForge's case (https://www.stormforge.io/blog/perf-testing-over-1-million-requests/): each client picks its station,
 * connects with a token, then sends a message about every second for five minutes; clients arrive at a constant rate.
 */
export function heartbeat({ rate, durationS, messages: [atLeast, atMost], everyS, message }: Load): Plan {
  const livesS = atMost * everyS;
  return {
    phases: [{ name: 'arrivals', duration: durationS, arrivalRate: rate }],
    life: {
      endMs: (durationS + livesS + SLACK_S) * 1_000,
      pingMs: 0,
      heartbeat: { kind: message, everyMs: everyS * 1_000, atLeast, atMost },
    },
    peak: rate * Math.min(durationS, livesS),
    rampS: durationS,
    durationS: durationS + livesS + SLACK_S,
    hasStations: true,
    ensure: [{ 'intended to reply.p99': 1_000 }, { 'errors.percent': 1 }],
  };
}
