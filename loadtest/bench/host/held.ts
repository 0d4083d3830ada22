import { setTimeout as sleep } from 'node:timers/promises';
import { withCpu } from '../../../dev/support/usage.ts';
import { SDK_PING_SECONDS } from '../../../shared/protocol/ping.ts';
import { lineThrough } from '../../../shared/statistics/lineThrough.ts';
import { sumOf } from '../../../shared/statistics/sumOf.ts';
import type { Tally } from '../../testbed/population.ts';
import { type ServerName, type Testbed, withGenerators } from '../../testbed/testbed.ts';
import { atMost, none, progress, type Result, round } from '../benchmark.ts';

const HELD = [
  { name: 'host', count: 5_000 },
  { name: 'host', count: 10_000 },
  { name: 'host', count: 18_000 },
  { name: 'bare Bun', count: 18_000 },
] as const;
const RATE = 1_000;
/** Longer than the ping interval of SDKs, so that each connection pings. */
const WATCH_MS = 20_000;
/** Memory of a t2.micro, and the assumed memory of its operating system. */
const MACHINE_BYTES = 1024 ** 3;
const SYSTEM_BYTES = 250 * 1024 ** 2;
const MB = 2 ** 20;

/** A server with open connections. */
interface Held extends Pick<Tally, 'pings' | 'pongs' | 'errors'> {
  readonly name: ServerName;
  readonly count: number;
  readonly idleBytes: number;
  readonly bytes: number;
  readonly cpu: number;
}

/** Measures memory and CPU time of open connections that ping like SDKs. */
export async function measureHeld(testbed: Testbed): Promise<Result> {
  const all: Held[] = [];
  for (const { name, count } of HELD) {
    progress(`held: ${count} connections of ${name}`);
    await testbed.withServer(name, async ({ process: server, target }) => {
      const idleBytes = server.usage().resident;
      await withGenerators(target, 1, async ([generator]) => {
        await generator.ask('storm', { rate: RATE, count });
        await generator.ask('ping', null);
        const [, cpu] = await withCpu(server.pid, sleep(WATCH_MS));
        const bytes = server.usage().resident - idleBytes;
        all.push({ name, count, idleBytes, bytes, cpu, ...(await generator.ask('tally', null)) });
      });
    });
  }
  const found = all.filter(({ name }) => name === 'host');
  const [most, bare] = all.slice(-2) as [Held, Held];
  const { idleBytes } = most;
  const unanswered = sumOf(found, ({ pings, pongs }) => pings - pongs);
  const errors = sumOf(found, (each) => each.errors);
  const { slope, intercept } = lineThrough(found.map(({ count, bytes }) => [count, bytes]));
  const fitting = Math.floor((MACHINE_BYTES - SYSTEM_BYTES - idleBytes - intercept) / slope);
  return {
    title: `Connections held, each pinging every ${SDK_PING_SECONDS} s`,
    head: ['server', 'held', 'MB more than idle', 'bytes each', 'CPU', 'pings', 'pongs', 'errors'],
    rows: all.map(({ name, count, bytes, cpu, pings, pongs, errors }) => [
      name,
      count,
      round(bytes / MB),
      round(bytes / count),
      `${round(cpu * 100)} %`,
      pings,
      pongs,
      errors,
    ]),
    bounds: [
      atMost(2, `memory with ${most.count} held`, (idleBytes + most.bytes) / (bare.idleBytes + bare.bytes)),
      none('pings without an answer', unanswered),
      atMost(10, 'CPU while idle', Math.max(...found.map(({ cpu }) => cpu)) * 100, '%'),
      none('errors', errors),
    ],
    notes: [
      `The straight line: ${round(slope)} bytes each and ${round(intercept / MB)} MB; idle before that: ${round(idleBytes / MB)} MB.`,
      `EXTRAPOLATED, not measured: about ${round(fitting)} fit in 1 GiB with ${round(SYSTEM_BYTES / MB)} MB for the system, before the kernel's part (some 4 KB a socket).`,
    ],
  };
}
