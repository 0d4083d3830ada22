import { countConnections, type Plan } from './loadProfile.ts';
import type { Phase } from './script.ts';

/**
 * Divides a plan among artillery processes.
 *
 * If each has its own core, each opens connections at its share of the rate. Otherwise they take turns at the whole rate, because
 * artillery's arrival timer uses a whole core (nanotimer, for intervals under 25 ms).
 */
export function splitPlan(plan: Plan, workers: number, cores: number): Plan[] {
  if (workers === 1) return [plan];
  return Array.from({ length: workers }, (_, n) => (workers <= cores ? share(plan, workers) : turn(plan, workers, n)));
}

function share(plan: Plan, workers: number): Plan {
  const phases = plan.phases.map((phase) =>
    'arrivalRate' in phase ? { ...phase, arrivalRate: phase.arrivalRate / workers } : phase,
  );
  return { ...plan, phases, peak: Math.ceil(plan.peak / workers) };
}

/** The turn of a worker: the nth of equal parts of all connections. The worker pauses during the other turns. */
function turn(plan: Plan, workers: number, n: number): Plan {
  const each = countConnections(plan) / workers;
  const [from, to] = [n * each, (n + 1) * each];
  const phases: Phase[] = [];
  let at = 0;
  let idle = 0;
  let before = 0;
  for (const phase of plan.phases) {
    if ('pause' in phase) {
      idle += phase.pause;
      continue;
    }
    const { duration, arrivalRate } = phase;
    const count = duration * arrivalRate;
    const begin = Math.min(count, Math.max(0, from - at));
    const end = Math.min(count, Math.max(0, to - at));
    idle += begin / arrivalRate;
    if (end > begin) {
      if (phases.length === 0) before = idle;
      if (idle > 0) phases.push({ pause: idle });
      phases.push({ ...phase, duration: (end - begin) / arrivalRate });
      idle = 0;
    }
    idle += (count - Math.max(begin, end)) / arrivalRate;
    at += count;
  }
  // The processor's clock starts with its first connection.
  return { ...plan, phases, durationS: plan.durationS - before, peak: Math.ceil(each) };
}
