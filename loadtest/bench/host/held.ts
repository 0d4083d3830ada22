import { setTimeout as sleep } from 'node:timers/promises';
import { withCpu } from '../../../dev/support/usage.ts';
import { SDK_PING_SECONDS } from '../../../shared/protocol/ping.ts';
import { lineThrough } from '../../../shared/statistics/lineThrough.ts';
import { sumOf } from '../../../shared/statistics/sumOf.ts';
import { type Testbed, withGenerators } from '../../testbed/testbed.ts';
import { progress, type Result, round } from '../benchmark.ts';

const COUNTS = [5_000, 10_000, 18_000];
const RATE = 1_000;
/** Longer than SDKs wait between pings, so that every connection has pinged. */
const WATCH_MS = 20_000;
/** Memory of a t2.micro, and what its system takes of it, as an assumption. */
const MACHINE_BYTES = 1024 ** 3;
const SYSTEM_BYTES = 250 * 1024 ** 2;
const MB = 2 ** 20;

/** Memory and processor time of connections that are held and ping as SDKs do. */
export async function measureHeld(testbed: Testbed): Promise<Result> {
  const found: { count: number; bytes: number; cpu: number; pings: number; pongs: number; errors: number }[] = [];
  let idleBytes = 0;
  for (const count of COUNTS) {
    progress(`held: ${count} connections`);
    await testbed.withServer('host', async ({ process: server, target }) => {
      idleBytes = server.usage().resident;
      await withGenerators(target, 1, async ([generator]) => {
        await generator.ask('storm', { rate: RATE, count });
        await generator.ask('ping', null);
        const [, cpu] = await withCpu(server.pid, sleep(WATCH_MS));
        const bytes = server.usage().resident - idleBytes;
        found.push({ count, bytes, cpu, ...(await generator.ask('tally', null)) });
      });
    });
  }
  const { slope, intercept } = lineThrough(found.map(({ count, bytes }) => [count, bytes]));
  const fitting = Math.floor((MACHINE_BYTES - SYSTEM_BYTES - idleBytes - intercept) / slope);
  const [most] = found.slice(-1);
  return {
    title: `Connections held, each pinging every ${SDK_PING_SECONDS} s`,
    head: ['held', 'MB more than idle', 'bytes each', 'CPU', 'pings', 'pongs', 'errors'],
    rows: found.map(({ count, bytes, cpu, pings, pongs, errors }) => [
      count,
      round(bytes / MB),
      round(bytes / count),
      `${round(cpu * 100)} %`,
      pings,
      pongs,
      errors,
    ]),
    bounds: [
      {
        name: `memory with ${most?.count} held`,
        measured: (idleBytes + (most?.bytes ?? Number.NaN)) / MB,
        unit: 'MB',
        atMost: 150,
      },
      ...found.map(({ count, bytes }) => ({
        name: `memory of each of ${count}`,
        measured: bytes / count,
        unit: 'bytes',
        atMost: 12 * 1024,
      })),
      {
        name: 'pings without an answer',
        measured: sumOf(found, ({ pings, pongs }) => pings - pongs),
        unit: '',
        atMost: 0,
      },
      { name: 'CPU while idle', measured: Math.max(...found.map(({ cpu }) => cpu)) * 100, unit: '%', atMost: 10 },
      { name: 'errors', measured: sumOf(found, ({ errors }) => errors), unit: '', atMost: 0 },
    ],
    notes: [
      `The straight line: ${round(slope)} bytes each and ${round(intercept / MB)} MB; idle before that: ${round(idleBytes / MB)} MB.`,
      `EXTRAPOLATED, not measured: about ${round(fitting)} fit in 1 GiB with ${round(SYSTEM_BYTES / MB)} MB for the system, before the kernel's part (some 4 KB a socket).`,
    ],
  };
}
