import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { median } from '../../../shared/statistics/quantile.ts';
import type { Pinned } from '../../machine/pinned.ts';
import { ready, type Testbed } from '../../testbed/testbed.ts';
import { type Result, round } from './result.ts';

const HELD = 6_000;
/** So each lives ten seconds. */
const CHURN_RATE = 600;
const SAMPLE_MS = 1_000;
/** Few, so that the heap grows between them as it does by itself. */
const COLLECTIONS = 20;
/** Until the heap has found its size. */
const WARM_UP = 0.1;

/** Memory in MB, by seconds since the churn began. */
type Series = [seconds: number, megabytes: number][];

/** Memory under churn: connections come and go, and ping. */
export async function measureSoak(testbed: Testbed, minutes: number): Promise<Result> {
  process.stderr.write(`… soak: ${minutes} minutes\n`);
  const resident: Series = [];
  const heap: Series = [];
  const server = testbed.startServer('host', { BUN_OPTIONS: `--preload ${join(import.meta.dirname, 'collected.ts')}` });
  try {
    const target = testbed.targetOf('host', await ready(server, 'host'));
    const tally = await testbed.withGenerators(target, 1, async ([generator]) => {
      await generator?.ask('storm', { rate: 500, count: HELD });
      await generator?.ask('ping', null);
      await generator?.ask('churn', { rate: CHURN_RATE });
      const startedAt = performance.now();
      const elapsed = () => (performance.now() - startedAt) / 1_000;
      for (; heap.length < COLLECTIONS; await sleep(SAMPLE_MS)) {
        resident.push([elapsed(), server.usage().resident / 2 ** 20]);
        if (elapsed() < ((heap.length + 1) * minutes * 60) / COLLECTIONS) continue;
        heap.push([elapsed(), (await collectedHeap(server)) / 2 ** 20]);
        const said = [heap, resident].map((series) => round(series.at(-1)?.[1] ?? 0));
        process.stderr.write(`  ${Math.round(elapsed())} s, ${said.join(' MB of heap, ')} MB resident\n`);
      }
      return generator?.ask('tally', null);
    });
    return resultOf(minutes, resident, heap, tally?.errors ?? Number.NaN, tally?.reasons ?? []);
  } finally {
    await server.stop();
  }
}

function resultOf(minutes: number, resident: Series, heap: Series, errors: number, reasons: readonly string[]): Result {
  const [firstHeap, lastHeap] = quarters(heap).map(median) as [number, number];
  const [firstResident, lastResident] = quarters(resident).map((of) => Math.max(...of)) as [number, number];
  const found = [firstHeap, lastHeap, firstResident, lastResident].map(round);
  return {
    title: `Soak: ${minutes} minutes of churn`,
    head: [
      'held',
      'new/s',
      'heap MB after collections, first quarter',
      'last',
      'most resident MB, first quarter',
      'last',
      'errors',
    ],
    rows: [[HELD, CHURN_RATE, ...found, errors]],
    bounds: [
      {
        name: 'heap after collections, last quarter against first',
        measured: lastHeap / firstHeap,
        unit: '×',
        atMost: 1.05,
      },
      {
        name: 'most resident memory, last quarter against first',
        measured: lastResident / firstResident,
        unit: '×',
        atMost: 1.05,
      },
      { name: 'errors', measured: errors, unit: '', atMost: 0 },
    ],
    invalid: reasons,
    notes: [
      `The first ${WARM_UP * 100} % of the time are left out: the heap finds its size in it.`,
      `${COLLECTIONS} times the host is made to collect all garbage: what is left then tells of a leak. Medians of a quarter.`,
    ],
    charts: [
      {
        title: 'Memory under churn (MB)',
        x: 'seconds',
        y: 'MB',
        series: [
          { name: 'resident', points: resident.map(rounded) },
          { name: 'heap after collections', points: heap.map(rounded) },
        ],
      },
    ],
  };
}

/** @returns megabytes of the first and of the last quarter of the time that counts */
function quarters(series: Series): [number[], number[]] {
  const settled = series.slice(Math.floor(series.length * WARM_UP)).map(([, megabytes]) => megabytes);
  const quarter = Math.ceil(settled.length / 4);
  return [settled.slice(0, quarter), settled.slice(-quarter)];
}

/** @returns bytes of heap that are left when the server has collected all garbage */
async function collectedHeap({ child }: Pinned): Promise<number> {
  child.send('collect');
  const [{ heapBytes }] = (await once(child, 'message')) as [{ heapBytes: number }];
  return heapBytes;
}

const rounded = ([seconds, megabytes]: Series[number]): Series[number] => [Math.round(seconds), round(megabytes)];
