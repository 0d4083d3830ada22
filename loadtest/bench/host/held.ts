import { setTimeout as sleep } from 'node:timers/promises';
import { SDK_PING_SECONDS } from '../../../shared/protocol/ping.ts';
import { lineThrough } from '../../../shared/statistics/lineThrough.ts';
import type { Testbed } from '../../testbed/testbed.ts';
import { type Result, round } from './result.ts';

const COUNTS = [5_000, 10_000, 18_000];
const RATE = 1_000;
/** Longer than SDKs wait between pings, so that every connection has pinged. */
const WATCH_MS = 20_000;
/** Memory of a t2.micro, and what its system takes of it, as an assumption. */
const MACHINE_BYTES = 1024 ** 3;
const SYSTEM_BYTES = 250 * 1024 ** 2;

/** Memory and processor time of connections that are held and ping as SDKs do. */
export async function measureHeld(testbed: Testbed): Promise<Result> {
  const found: { count: number; bytes: number; cpu: number; pings: number; pongs: number; errors: number }[] = [];
  let idleBytes = 0;
  for (const count of COUNTS) {
    process.stderr.write(`… held: ${count} connections\n`);
    await testbed.withServer('host', async ({ process: server, target }) => {
      idleBytes = server.usage().resident;
      await testbed.withGenerators(target, 1, async ([generator]) => {
        await generator?.ask('storm', { rate: RATE, count });
        await generator?.ask('ping', null);
        const before = server.usage().cpuSeconds;
        await sleep(WATCH_MS);
        const { cpuSeconds, resident } = server.usage();
        const tally = await generator?.ask('tally', null);
        if (!tally) return;
        const cpu = (cpuSeconds - before) / (WATCH_MS / 1_000);
        found.push({ count, bytes: resident - idleBytes, cpu, ...tally });
      });
    });
  }
  const { slope, intercept } = lineThrough(found.map(({ count, bytes }) => [count, bytes]));
  const fitting = Math.floor((MACHINE_BYTES - SYSTEM_BYTES - idleBytes - intercept) / slope);
  const rows = found.map(({ count, bytes, cpu, pings, pongs, errors }) => [
    count,
    round(bytes / 2 ** 20),
    round(bytes / count),
    `${round(cpu * 100)} %`,
    pings,
    pongs,
    errors,
  ]);
  const unanswered = found.reduce((sum, { pings, pongs }) => sum + pings - pongs, 0);
  return {
    title: `Connections held, each pinging every ${SDK_PING_SECONDS} s`,
    head: ['held', 'MB more than idle', 'bytes each', 'CPU', 'pings', 'pongs', 'errors'],
    rows,
    bounds: [
      {
        name: `memory with ${found.at(-1)?.count} held`,
        measured: (idleBytes + (found.at(-1)?.bytes ?? Number.NaN)) / 2 ** 20,
        unit: 'MB',
        atMost: 150,
      },
      ...found.map(({ count, bytes }) => ({
        name: `memory of each of ${count}`,
        measured: bytes / count,
        unit: 'bytes',
        atMost: 12 * 1024,
      })),
      { name: 'pings without an answer', measured: unanswered, unit: '', atMost: 0 },
      { name: 'CPU while idle', measured: Math.max(...found.map(({ cpu }) => cpu)) * 100, unit: '%', atMost: 10 },
      { name: 'errors', measured: found.reduce((sum, { errors }) => sum + errors, 0), unit: '', atMost: 0 },
    ],
    invalid: [],
    notes: [
      `The straight line: ${round(slope)} bytes each and ${round(intercept / 2 ** 20)} MB; idle before that: ${round(idleBytes / 2 ** 20)} MB.`,
      `EXTRAPOLATED, not measured: 22,000 would take ${round((idleBytes + intercept + 22_000 * slope) / 2 ** 20)} MB; about ${round(fitting)} would fit in 1 GiB beside ${round(SYSTEM_BYTES / 2 ** 20)} MB of the system, before the kernel's part.`,
      'Memory of the process alone: the kernel keeps some 4 KB more for each socket.',
    ],
    charts: [
      {
        title: 'Memory of held connections (MB)',
        x: 'connections',
        y: 'MB',
        series: [
          { name: 'measured', points: found.map(({ count, bytes }) => [count, bytes / 2 ** 20]) },
          { name: 'line', points: [0, 22_000].map((n) => [n, (intercept + n * slope) / 2 ** 20]) },
        ],
      },
    ],
  };
}
