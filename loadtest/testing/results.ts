import type { Slice } from '../measure/slice.ts';
import type { RunFacts } from '../results/schema.ts';
import type { LoadProfile } from '../scenarios/loadProfile.ts';

/** A plan for tests: a hundred connections in ten seconds, held for ten more. */
export function aLoadProfile(fields: Partial<LoadProfile> = {}): LoadProfile {
  return {
    script: 'data-sync',
    phases: [{ duration: 10, arrivalRate: 10 }],
    variables: { ping: 18 },
    peak: 100,
    rampS: 10,
    durationS: 20,
    ensure: [{ 'sync.p99': 200 }, { 'errors.percent': 1 }],
    ...fields,
  };
}

/** Facts of a run that came to its end. */
export function someFacts(fields: Partial<RunFacts> = {}): RunFacts {
  return {
    scenario: 'reference',
    rate: 10,
    number: 1,
    plan: aLoadProfile(),
    workers: 1,
    cores: 1,
    startedAt: '2026-11-21T00:00:00.000Z',
    endedAt: '2026-11-21T00:00:20.000Z',
    ...fields,
  };
}

/** A second of a worker that does well. */
export function aSlice(fields: Partial<Slice> = {}): Slice {
  return { at: 100, open: 0, counters: {}, times: {}, cpu: 0.2, lagMs: 1, ...fields };
}

/** A worker that opens ten connections a second for ten seconds, each answered in 5 ms, and holds them for ten more. */
export function aWorker(): Slice[] {
  return Array.from({ length: 20 }, (_, n) =>
    n < 10
      ? aSlice({
          at: 100 + n,
          open: 10 * (n + 1),
          counters: { began: 10, 'syncs answered': 10 },
          times: { sync: [[5_000, 10]] },
        })
      : aSlice({ at: 100 + n, open: 100 }),
  );
}
