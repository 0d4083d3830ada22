import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { median } from '../../../shared/statistics/quantile.ts';
import { ready, type Testbed, withGenerators } from '../../testbed/testbed.ts';
import { progress, type Result, round } from '../benchmark.ts';
import type { CollectRequests } from './collected.ts';

const HELD = 6_000;
/** So each lives ten seconds. */
const CHURN_RATE = 600;
const SAMPLE_MS = 1_000;
/** Few, so that the heap grows between them as it does by itself. */
const COLLECTIONS = 20;
/** Share of the time until the heap has found its size. */
const WARM_UP = 0.1;

/** Memory under churn: connections come and go, and ping. */
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
    const growth = { unit: '×', atMost: 1.05 };
    const head = [
      'held',
      'new/s',
      'heap MB after collections, first quarter',
      'last',
      'most resident MB, first quarter',
    ];
    return {
      title: `Soak: ${minutes} minutes of churn`,
      head: [...head, 'last', 'errors'],
      rows: [[HELD, CHURN_RATE, ...[firstHeap, lastHeap, firstResident, lastResident].map(round), errors]],
      bounds: [
        { name: 'heap after collections, last quarter against first', measured: lastHeap / firstHeap, ...growth },
        { name: 'most resident memory, last quarter against first', measured: lastResident / firstResident, ...growth },
        { name: 'errors', measured: errors, unit: '', atMost: 0 },
      ],
      invalid: reasons,
      notes: [
        `The first ${WARM_UP * 100} % of the time do not count: the heap finds its size. The host collects all garbage ${COLLECTIONS} times: what is left shows a leak.`,
      ],
    };
  } finally {
    await server.stop();
  }
}

/** The first and the last quarter of the samples that count. */
function quarters(series: readonly number[]): [number[], number[]] {
  const settled = series.slice(Math.floor(series.length * WARM_UP));
  const quarter = Math.ceil(settled.length / 4);
  return [settled.slice(0, quarter), settled.slice(-quarter)];
}
