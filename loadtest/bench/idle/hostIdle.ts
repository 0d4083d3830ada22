import { readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LocalStack } from '../../../dev/emulator/emulator.ts';
import { HostProcess } from '../../../dev/support/hostProcess.ts';
import { RawSocket } from '../../../dev/support/rawSocket.ts';
import { encodeToken } from '../../../shared/protocol/token.ts';
import { lineThrough } from '../../../shared/statistics/lineThrough.ts';

/** How often each host looks for changes, in milliseconds. */
const INTERVALS = [20, 50, 100, 500];

/** How long hosts run before they are watched, and for how long they are, in seconds. */
export interface IdleSpan {
  readonly warmUpSeconds: number;
  readonly watchSeconds: number;
}

/** What a host takes of its processor while one connection is held and nothing happens. */
export interface HostIdle {
  /** Milliseconds for one look at an environment's version. */
  readonly pollMs: number;
  /** Milliseconds a second for everything else. */
  readonly idleMs: number;
  /** What each host did while it was watched. */
  readonly hosts: readonly { readonly intervalMs: number; readonly reads: number; readonly cpuSeconds: number }[];
  /** How busy the machine was meanwhile: its load average, and the busy part of all its cores; the hosts' own work counts. */
  readonly machineLoad: { readonly average: number; readonly busyShare: number | undefined };
}

/**
 * Measures what a host uses over how often it looks for changes: the slope is a look, and the rest is its own. Hosts of all intervals
 * run side by side, each with a connection, and are watched once they have run for minutes: what comes with a start is no part of a month.
 */
export async function measureHostIdle(
  stack: LocalStack,
  clientKey: string,
  { warmUpSeconds, watchSeconds }: IdleSpan,
): Promise<HostIdle> {
  const hosts: HostProcess[] = [];
  try {
    for (const interval of INTERVALS) hosts.push(await start(stack, clientKey, interval));
    process.stderr.write(`${hosts.length} hosts: ${warmUpSeconds} s to warm up, ${watchSeconds} s watched\n`);
    await sleep(warmUpSeconds * 1_000);
    const before = await Promise.all(hosts.map(({ port }) => metricsOf(port)));
    const busyBefore = busyTicks();
    await sleep(watchSeconds * 1_000);
    const after = await Promise.all(hosts.map(({ port }) => metricsOf(port)));
    const watched = INTERVALS.map((intervalMs, index) => {
      const since = (of: 'reads' | 'cpuSeconds') => (after[index]?.[of] ?? Number.NaN) - (before[index]?.[of] ?? 0);
      return { intervalMs, reads: since('reads'), cpuSeconds: since('cpuSeconds') };
    });
    const { slope, intercept } = lineThrough(watched.map(({ reads, cpuSeconds }) => [reads, cpuSeconds]));
    return {
      pollMs: slope * 1_000,
      idleMs: Math.max(0, intercept / watchSeconds) * 1_000,
      hosts: watched,
      machineLoad: { average: loadavg()[0] ?? Number.NaN, busyShare: shareOf(busyBefore, busyTicks()) },
    };
  } finally {
    await Promise.all(hosts.map((host) => host.stop('SIGKILL')));
  }
}

async function start(stack: LocalStack, clientKey: string, interval: number): Promise<HostProcess> {
  const settings = { INSIGHT_FILE: '/dev/null', PORT: '0', POLL_INTERVAL_MS: String(interval) };
  const host = await HostProcess.start(stack, settings);
  const token = encodeToken(clientKey, Date.now(), 7);
  const socket = await RawSocket.open(`ws://127.0.0.1:${host.port}/streaming?type=client&token=${token}`);
  socket.send({ messageType: 'data-sync', data: { timestamp: 0, user: { keyId: 'u1', name: 'u1' } } });
  return host;
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

/** All and idle processor time of the machine since its start; undefined where there is no /proc. */
function busyTicks(): { all: number; idle: number } | undefined {
  try {
    const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n');
    const ticks = line.trim().split(/\s+/).slice(1, 9).map(Number);
    return { all: ticks.reduce((sum, each) => sum + each, 0), idle: (ticks[3] ?? 0) + (ticks[4] ?? 0) };
  } catch {
    return undefined;
  }
}

function shareOf(before: ReturnType<typeof busyTicks>, after: ReturnType<typeof busyTicks>): number | undefined {
  if (!before || !after) return undefined;
  return 1 - (after.idle - before.idle) / (after.all - before.all);
}
