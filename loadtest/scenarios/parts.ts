import { countConnections, type LoadProfile } from './loadProfile.ts';
import type { Phase } from './script.ts';

/**
 * Divides a load profile among artillery processes.
 *
 * If each has its own core, each opens connections at its share of the rate. Otherwise they take turns at the whole rate, because
 * artillery's arrival timer uses a whole core (nanotimer, for intervals under 25 ms).
 */
export function splitProfile(profile: LoadProfile, workers: number, cores: number): LoadProfile[] {
  if (workers === 1) return [profile];
  return Array.from({ length: workers }, (_, n) =>
    workers <= cores ? share(profile, workers) : turn(profile, workers, n),
  );
}

function share(profile: LoadProfile, workers: number): LoadProfile {
  const phases = profile.phases.map((phase) =>
    'arrivalRate' in phase ? { ...phase, arrivalRate: phase.arrivalRate / workers } : phase,
  );
  return { ...profile, phases, peak: Math.ceil(profile.peak / workers) };
}

/** The turn of a worker: the nth of equal parts of all connections. The worker pauses during the other turns. */
function turn(profile: LoadProfile, workers: number, n: number): LoadProfile {
  const each = countConnections(profile) / workers;
  const [from, to] = [n * each, (n + 1) * each];
  const phases: Phase[] = [];
  let at = 0;
  let idle = 0;
  let before = 0;
  for (const phase of profile.phases) {
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
  return { ...profile, phases, durationS: profile.durationS - before, peak: Math.ceil(each) };
}
