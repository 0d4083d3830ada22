import { setTimeout as sleep } from 'node:timers/promises';
import type { Lab } from './lab.ts';
import { type Result, round } from './result.ts';

const HELD = 6_000;
/** So each lives ten seconds, and the heap is collected several times in each quarter. */
const CHURN_RATE = 600;
const SAMPLE_MS = 1_000;
/** Until the heap has found its size. */
const WARM_UP = 0.1;

/** Memory under churn: connections come and go, ping, and get a change now and then. */
export async function measureSoak(lab: Lab, minutes: number): Promise<Result> {
  process.stderr.write(`… soak: ${minutes} minutes\n`);
  const samples: number[] = [];
  let errors = 0;
  let reasons: readonly string[] = [];
  await lab.withServer('host', async ({ process: server, target }) => {
    await lab.withGenerators(target, 1, async ([generator]) => {
      await generator?.ask('storm', { rate: 500, count: HELD });
      await generator?.ask('ping', null);
      await generator?.ask('churn', { rate: CHURN_RATE });
      const end = performance.now() + minutes * 60_000;
      while (performance.now() < end) {
        await sleep(SAMPLE_MS);
        samples.push(server.usage().resident / 2 ** 20);
        if (samples.length % 60 === 0)
          process.stderr.write(`  ${samples.length / 60} min, ${round(samples.at(-1) ?? 0)} MB\n`);
      }
      const tally = await generator?.ask('tally', null);
      errors = tally?.errors ?? Number.NaN;
      reasons = tally?.reasons ?? [];
    });
  });
  const settled = samples.slice(Math.floor(samples.length * WARM_UP));
  const quarter = Math.floor(settled.length / 4);
  const [first, last] = [settled.slice(0, quarter), settled.slice(-quarter)];
  const least = (values: readonly number[]) => Math.min(...values);
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  return {
    title: `Soak: ${minutes} minutes of churn`,
    head: ['held', 'new/s', 'least MB in the first quarter', 'in the last', 'mean MB', 'in the last', 'most', 'errors'],
    rows: [
      [
        ...[HELD, CHURN_RATE, round(least(first)), round(least(last)), round(mean(first)), round(mean(last))],
        ...[round(Math.max(...samples)), errors],
      ],
    ],
    bounds: [
      {
        name: 'what is left after collections, the last quarter against the first',
        measured: least(last) / least(first),
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
        series: [{ name: 'resident', points: samples.map((mb, i) => [i + 1, mb]) }],
      },
    ],
  };
}
