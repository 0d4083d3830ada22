import { setTimeout as sleep } from 'node:timers/promises';
import type { LocalStack } from '../../../infra/emulator/emulator.ts';
import { lineThrough } from '../../../infra/measure/lineThrough.ts';
import { RawSocket } from '../../../infra/test/conformance/clients/rawSocket.ts';
import { HostProcess } from '../../../infra/test/conformance/hostProcess.ts';
import { encodeToken } from '../../../shared/protocol/token.ts';

/** How often the host looks for changes in each measurement, in milliseconds. */
const INTERVALS = [20, 50, 100, 500];
/** How long each is watched, in seconds. */
const WATCH_SECONDS = 10;

/** What a host takes of its processor while one connection is held and nothing happens. */
export interface HostIdle {
  /** Milliseconds for one look at an environment's version. */
  readonly pollMs: number;
  /** Milliseconds a second for everything else. */
  readonly idleMs: number;
}

/** Measures what a host uses over how often it looks for changes: the slope is a look, and the rest is its own. */
export async function measureHostIdle(stack: LocalStack, clientKey: string): Promise<HostIdle> {
  const points: [number, number][] = [];
  for (const interval of INTERVALS) {
    process.stderr.write(`host, a look every ${interval} ms: ${WATCH_SECONDS} s\n`);
    const insights = { INSIGHT_FILE: '/dev/null', PORT: '0', POLL_INTERVAL_MS: String(interval) };
    const host = await HostProcess.start(stack, insights);
    try {
      const token = encodeToken(clientKey, Date.now(), 7);
      const socket = await RawSocket.open(`ws://127.0.0.1:${host.port}/streaming?type=client&token=${token}`);
      socket.send({ messageType: 'data-sync', data: { timestamp: 0, user: { keyId: 'u1', name: 'u1' } } });
      await sleep(2_000);
      const before = await metricsOf(host.port);
      await sleep(WATCH_SECONDS * 1_000);
      const after = await metricsOf(host.port);
      points.push([after.reads - before.reads, after.cpuSeconds - before.cpuSeconds]);
    } finally {
      await host.stop('SIGKILL');
    }
  }
  const { slope, intercept } = lineThrough(points);
  return { pollMs: slope * 1_000, idleMs: Math.max(0, intercept / WATCH_SECONDS) * 1_000 };
}

/** What it says of itself: how often it read the table, and its processor time. */
async function metricsOf(port: number): Promise<{ reads: number; cpuSeconds: number }> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const figure = (name: string) => Number(new RegExp(`^${name} ([\\d.e+-]+)`, 'm').exec(text)?.[1]);
  const found = { reads: figure('flagwire_table_reads_total'), cpuSeconds: figure('process_cpu_seconds_total') };
  if (Number.isNaN(found.reads + found.cpuSeconds))
    throw new Error('the host’s metrics do not tell its reads and processor time');
  return found;
}
