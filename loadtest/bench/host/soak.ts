import { setTimeout as sleep } from 'node:timers/promises';
import type { Server, Testbed } from '../../testbed/testbed.ts';
import { type Result, round } from './result.ts';

const HELD = 6_000;
/** So each lives ten seconds, and the heap is collected several times in each quarter. */
const CHURN_RATE = 600;
/** Often enough to see the heap just after a collection. */
const SAMPLE_MS = 200;
/** Until the heap has found its size. */
const WARM_UP = 0.1;

/** Memory at one time, in MB. */
interface Sample {
  /** What the system has given to the process; it gives little of it back. */
  readonly resident: number;
  /** What its objects take, those that nobody refers to any more included until the next collection. */
  readonly heap: number;
}

/** Memory under churn: connections come and go, and ping. */
export async function measureSoak(testbed: Testbed, minutes: number): Promise<Result> {
  process.stderr.write(`… soak: ${minutes} minutes\n`);
  const samples: Sample[] = [];
  let errors = 0;
  let reasons: readonly string[] = [];
  await testbed.withServer('host', async (server) => {
    await testbed.withGenerators(server.target, 1, async ([generator]) => {
      await generator?.ask('storm', { rate: 500, count: HELD });
      await generator?.ask('ping', null);
      await generator?.ask('churn', { rate: CHURN_RATE });
      const startedAt = performance.now();
      for (let told = 1; performance.now() < startedAt + minutes * 60_000; await sleep(SAMPLE_MS)) {
        samples.push(await look(server));
        if (performance.now() < startedAt + told * 60_000) continue;
        process.stderr.write(`  ${told++} min, ${round(samples.at(-1)?.resident ?? 0)} MB\n`);
      }
      const tally = await generator?.ask('tally', null);
      errors = tally?.errors ?? Number.NaN;
      reasons = tally?.reasons ?? [];
    });
  });
  const settled = samples.slice(Math.floor(samples.length * WARM_UP));
  const quarter = Math.floor(settled.length / 4);
  const [first, last] = [settled.slice(0, quarter), settled.slice(-quarter)];
  const floor = (of: readonly Sample[]) => Math.min(...of.map(({ heap }) => heap));
  const most = (of: readonly Sample[]) => Math.max(...of.map(({ resident }) => resident));
  return {
    title: `Soak: ${minutes} minutes of churn`,
    head: [
      'held',
      'new/s',
      'least heap MB, first quarter',
      'last',
      'most resident MB, first quarter',
      'last',
      'errors',
    ],
    rows: [[HELD, CHURN_RATE, ...[floor(first), floor(last), most(first), most(last)].map(round), errors]],
    bounds: [
      {
        name: 'what is left after collections, last quarter against first',
        measured: floor(last) / floor(first),
        unit: '×',
        atMost: 1.05,
      },
      {
        name: 'most resident memory, last quarter against first',
        measured: most(last) / most(first),
        unit: '×',
        atLeast: 0.95,
        atMost: 1.05,
      },
      { name: 'errors', measured: errors, unit: '', atMost: 0 },
    ],
    invalid: reasons,
    notes: [
      `The first ${WARM_UP * 100} % of the time are left out: the heap finds its size in it.`,
      'Between collections the heap grows up to what it may take: what tells of a leak is the least of a quarter.',
    ],
    charts: [
      {
        title: 'Memory under churn (MB)',
        x: 'seconds',
        y: 'MB',
        series: [seriesOf('resident', samples), seriesOf('heap', samples)],
      },
    ],
  };
}

async function look({ process: server, target }: Server): Promise<Sample> {
  const metrics = await (await fetch(`http://127.0.0.1:${target.addresses[0]?.port}/metrics`)).text();
  const heap = Number(/^nodejs_heap_size_used_bytes (\S+)$/m.exec(metrics)?.[1]);
  return { resident: server.usage().resident / 2 ** 20, heap: heap / 2 ** 20 };
}

/** One point a second is enough for a chart. */
function seriesOf(name: keyof Sample, samples: readonly Sample[]) {
  const each = Math.max(1, Math.round(1_000 / SAMPLE_MS));
  const points = samples
    .filter((_, n) => n % each === 0)
    .map((sample, n): [number, number] => [n + 1, round(sample[name])]);
  return { name, points };
}
