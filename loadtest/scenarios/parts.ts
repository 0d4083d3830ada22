import { countConnections, type LoadProfile } from './loadProfile.ts';

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

/** The turn of a worker: the nth of equal parts of all connections. The worker pauses during the turns before. */
function turn(profile: LoadProfile, workers: number, n: number): LoadProfile {
  const phases = profile.phases.flatMap((phase) => {
    if ('pause' in phase) return [];
    const duration = phase.duration / workers;
    return [...(n > 0 ? [{ pause: n * duration }] : []), { ...phase, duration }];
  });
  const [first] = phases;
  // The processor's clock starts with its first connection.
  const before = first && 'pause' in first ? first.pause : 0;
  const peak = Math.ceil(countConnections(profile) / workers);
  return { ...profile, phases, durationS: profile.durationS - before, peak };
}
