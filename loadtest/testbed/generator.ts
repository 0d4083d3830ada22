import { setTimeout as sleep } from 'node:timers/promises';
import { type Beaten, type Beating, heartbeats } from './heartbeats.ts';
import { type Saturated, type Saturation, type Storm, type Stormed, saturate, storm } from './load.ts';
import { type Arrival, Population, type Tally, type Target } from './population.ts';

/** What a generator can be told, and what it answers: a process of its own, commanded over its IPC channel. */
export interface Commands {
  readonly storm: { readonly ask: Storm; readonly answer: Stormed };
  readonly saturate: { readonly ask: Saturation; readonly answer: Saturated };
  /** Pings from now on, evenly over all connections. */
  readonly ping: { readonly ask: null; readonly answer: Tally };
  /** Pings at another interval for some time, each of which is timed. */
  readonly heartbeats: { readonly ask: Beating; readonly answer: Beaten };
  readonly tally: { readonly ask: null; readonly answer: Tally };
  readonly arrivals: { readonly ask: null; readonly answer: readonly Arrival[] };
  /** From now on closes the oldest and opens another in its place, so many times a second. */
  readonly churn: { readonly ask: { readonly rate: number }; readonly answer: Tally };
}

const population = new Population(JSON.parse(process.argv[2] ?? '{}') as Target);

const handlers: { [K in keyof Commands]: (ask: Commands[K]['ask']) => Promise<Commands[K]['answer']> } = {
  storm: (ask) => storm(population, ask),
  saturate: (ask) => saturate(population, ask),
  ping: async () => {
    population.keepPinging();
    return population.tally;
  },
  heartbeats: (ask) => heartbeats(population, ask),
  tally: async () => population.tally,
  arrivals: async () => population.arrivals,
  churn: async ({ rate }) => {
    void churn(rate);
    return population.tally;
  },
};

async function churn(rate: number): Promise<void> {
  const startedAt = performance.now();
  for (let done = 0; ; await sleep(1)) {
    for (; done < ((performance.now() - startedAt) / 1_000) * rate; done++) {
      population.closeOldest();
      population.connect();
    }
  }
}

process.on('message', async ({ id, name, ask }: { id: number; name: keyof Commands; ask: never }) => {
  process.send?.({ id, answer: await handlers[name](ask) });
});
process.on('disconnect', () => process.exit(0));
