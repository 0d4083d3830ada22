import { median } from '../../../shared/statistics/quantile.ts';

/** One operation to be timed. It is passed how many ran before, so that it can rotate over its inputs. */
export interface Contestant {
  readonly name: string;
  readonly run: (turn: number) => unknown;
}

/** Time per operation in microseconds, over all rounds. */
export interface Timing {
  readonly name: string;
  readonly medianUs: number;
  readonly minUs: number;
}

/** How long and how often contestants are timed. */
export interface Schedule {
  readonly rounds: number;
  /** How long one contestant's turn in a round should take, in milliseconds. */
  readonly sampleMs: number;
}

/**
 * Times contestants in turns, round after round, so that whatever else the machine does meets all of them alike. Each
 * is warmed up first, until one sample of it takes as long as asked for. Garbage is left to whom it falls to: collecting
 * it between samples would leave everybody's caches cold.
 */
export async function race(contestants: readonly Contestant[], schedule: Schedule): Promise<Timing[]> {
  const lanes = [];
  for (const contestant of contestants) {
    const lane = { contestant, turn: 0, operations: 1, samples: [] as number[] };
    await warmUp(lane, schedule.sampleMs);
    lanes.push(lane);
  }
  for (let round = 0; round < schedule.rounds; round++) {
    for (const lane of lanes) lane.samples.push(await sample(lane));
  }
  return lanes.map(({ contestant, samples }) => {
    return { name: contestant.name, medianUs: median(samples), minUs: Math.min(...samples) };
  });
}

/** A contestant on its way. */
interface Lane {
  readonly contestant: Contestant;
  turn: number;
  /** How many to a sample. */
  operations: number;
}

/** Finds out how many operations take a sample's time; three times over, because the first ones run cold. */
async function warmUp(lane: Lane, sampleMs: number): Promise<void> {
  for (let warm = 0; warm < 3; ) {
    const ms = ((await sample(lane)) * lane.operations) / 1000;
    if (ms >= sampleMs) warm++;
    else lane.operations = Math.ceil(lane.operations * Math.min(10, Math.max(1.2, (1.1 * sampleMs) / ms)));
  }
}

/** Microseconds per operation. */
async function sample(lane: Lane): Promise<number> {
  const { run } = lane.contestant;
  const start = performance.now();
  for (let operation = 0; operation < lane.operations; operation++) {
    const result = run(lane.turn++);
    if (result instanceof Promise) await result;
  }
  return ((performance.now() - start) * 1000) / lane.operations;
}
