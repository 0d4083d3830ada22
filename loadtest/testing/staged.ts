import type { Measured } from '../staged/measured.ts';
import type { StagedState } from '../staged/state.ts';

/** Clients that keep every gate, with half of the processor. */
export function aLoad(fields: Partial<Measured> = {}): Measured {
  return {
    clients: 1_000,
    tasks: 1,
    openedPerSecond: 200,
    heartbeatsPerSecond: 1_000,
    syncP99: 50,
    replyP50: 1,
    replyP99: 20,
    errorPercent: 0,
    cpu: 0.5,
    resident: 90e6,
    generatorCores: 0.1,
    bottlenecks: [],
    reasons: [],
    ...fields,
  };
}

/** A state in which nothing was measured yet. */
export function aState(fields: Partial<StagedState> = {}): StagedState {
  return {
    parameters: { tasks: 4, share: 0.25, every: 1, hold: 300, ramp: 10 },
    startedAt: '2026-11-22T00:00:00.000Z',
    commit: 'abc',
    loadBefore: 0.5,
    machine: { cpu: 'a processor', cores: 2, memoryBytes: 1e9 },
    notes: [],
    spentS: 0,
    probes: [],
    stages: [],
    ...fields,
  };
}
