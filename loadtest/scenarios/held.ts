import type { Phase } from './phase.ts';
import type { Load, Plan } from './plan.ts';

/** Climbs to many connections in equal steps, and stays at each: all pings are answered, or that was one too many. */
export function held({ rate, connections, steps, durationS, pingS }: Load): Plan {
  const climbS = connections / steps / rate;
  const phases = Array.from({ length: steps }, (_, n): Phase[] => [
    { name: `climb ${n + 1}`, duration: climbS, arrivalRate: rate },
    { name: `stay ${n + 1}`, pause: durationS },
  ]).flat();
  const totalS = steps * (climbS + durationS);
  return {
    phases,
    life: { endMs: totalS * 1_000, pingMs: pingS * 1_000 },
    peak: connections,
    rampS: totalS - durationS,
    durationS: totalS,
    ensure: [{ 'send to reply.p99': 1_000 }, { 'errors.percent': 0 }],
  };
}
