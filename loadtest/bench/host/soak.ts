import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { median } from '../../../shared/statistics/quantile.ts';
import { ready, type Testbed, withGenerators } from '../../testbed/testbed.ts';
import { atMost, none, progress, type Result, round } from '../benchmark.ts';
import type { CollectRequests } from './collected.ts';

const HELD = 6_000;
/** Each connection is open for ten seconds. */
const CHURN_RATE = 600;
const SAMPLE_MS = 1_000;
/** Few collections, so that the heap grows normally between them. */
const COLLECTIONS = 20;
/** Share of the time until the size of the heap is stable. */
const WARM_UP = 0.1;

/** Measures memory while connections open, ping and close. */
export async function measureSoak(testbed: Testbed, minutes: number): Promise<Result> {
  progress(`soak: ${minutes} minutes`);
  const resident: number[] = [];
  const heap: number[] = [];
  const server = testbed.startServer('host', { BUN_OPTIONS: `--preload ${join(import.meta.dirname, 'collected.ts')}` });
  const ask = server.requests<CollectRequests>();
  try {
    const target = await testbed.targetOf('host', await ready(server, 'host'));
    const { errors, reasons } = await withGenerators(target, 1, async ([generator]) => {
      await generator.ask('storm', { rate: 500, count: HELD });
      await generator.ask('ping', null);
      await generator.ask('churn', { rate: CHURN_RATE });
      const startedAt = performance.now();
      for (; heap.length < COLLECTIONS; await sleep(SAMPLE_MS)) {
        resident.push(server.usage().resident / 2 ** 20);
        const elapsed = performance.now() - startedAt;
        if (elapsed < ((heap.length + 1) * minutes * 60_000) / COLLECTIONS) continue;
        heap.push((await ask('collect', null)) / 2 ** 20);
        const [used, held] = [heap, resident].map((series) => round(series.at(-1) ?? Number.NaN));
        progress(`${Math.round(elapsed / 1_000)} s: ${used} MB of heap, ${held} MB resident`);
      }
      return generator.ask('tally', null);
    });
    const [firstHeap, lastHeap] = quarters(heap).map(median) as [number, number];
    const [firstResident, lastResident] = quarters(resident).map((of) => Math.max(...of)) as [number, number];
    const memory = ['heap MB after collections, first quarter', 'last', 'most resident MB, first quarter', 'last'];
    return {
      title: `Soak: ${minutes} minutes of churn`,
      head: ['held', 'new/s', ...memory, 'errors'],
      rows: [[HELD, CHURN_RATE, ...[firstHeap, lastHeap, firstResident, lastResident].map(round), errors]],
      bounds: [
        atMost(1.05, 'heap after collections, last quarter against first', lastHeap / firstHeap, '×'),
        atMost(1.05, 'most resident memory, last quarter against first', lastResident / firstResident, '×'),
        none('errors', errors),
      ],
      invalid: reasons,
      notes: [
        `The first ${WARM_UP * 100} % of the time are a warm-up. The host collects all garbage ${COLLECTIONS} times. A growing rest is a leak.`,
      ],
    };
  } finally {
    await server.stop();
  }
}

/** The first and the last quarter of the samples after the warm-up. */
function quarters(series: readonly number[]): [number[], number[]] {
  const settled = series.slice(Math.floor(series.length * WARM_UP));
  const quarter = Math.ceil(settled.length / 4);
  return [settled.slice(0, quarter), settled.slice(-quarter)];
}
