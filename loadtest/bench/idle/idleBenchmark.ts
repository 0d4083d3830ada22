import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { HostProcess } from '../../../dev/support/hostProcess.ts';
import { RawSocket } from '../../../dev/support/rawSocket.ts';
import { wholeNumber } from '../../../shared/command/numbers.ts';
import { encodeToken } from '../../../shared/protocol/token.ts';
import { lineThrough } from '../../../shared/statistics/lineThrough.ts';
import { begin, benchCommand, progress } from '../benchmark.ts';
import { withStack } from '../localStack.ts';

/** The poll interval of each host in milliseconds. */
const INTERVALS = [20, 50, 100, 500];

const HELP = `
The benchmark runs several hosts at the same time. Each host has one open connection and another poll interval. From the CPU times
of the hosts, the benchmark computes the cost of one poll and the fixed cost of an idle host.`;

const command = benchCommand('idle')
  .option('--warm-up <seconds>', 'time before the measurement starts', wholeNumber, 180)
  .option('--watch <seconds>', 'duration of the measurement', wholeNumber, 120)
  .addHelpText('after', HELP);
const { options, report } = begin<{ warmUp: number; watch: number }>(command);

await withStack(async ({ stack, clientKey }) => {
  const hosts: HostProcess[] = [];
  try {
    for (const interval of INTERVALS) {
      const settings = { INSIGHT_FILE: '/dev/null', PORT: '0', POLL_INTERVAL_MS: String(interval) };
      const host = await HostProcess.start(stack, settings);
      hosts.push(host);
      const token = encodeToken(clientKey, Date.now(), 7);
      const socket = await RawSocket.open(`ws://127.0.0.1:${host.port}/streaming?type=client&token=${token}`);
      await socket.sync({ timestamp: 0, user: { keyId: 'u1', name: 'u1' } });
    }
    progress(`${hosts.length} hosts: ${options.warmUp} s to warm up, ${options.watch} s measured`);
    await sleep(options.warmUp * 1_000);
    const before = await Promise.all(hosts.map(({ port }) => readMetrics(port)));
    await sleep(options.watch * 1_000);
    const after = await Promise.all(hosts.map(({ port }) => readMetrics(port)));
    const measured = INTERVALS.map((intervalMs, n) => ({
      intervalMs,
      reads: (after[n]?.reads ?? Number.NaN) - (before[n]?.reads ?? 0),
      cpuSeconds: (after[n]?.cpuSeconds ?? Number.NaN) - (before[n]?.cpuSeconds ?? 0),
    }));
    const { slope, intercept } = lineThrough(measured.map(({ reads, cpuSeconds }) => [reads, cpuSeconds]));
    const [pollMs, idleMs] = [slope * 1_000, (Math.max(0, intercept) / options.watch) * 1_000];
    const rows = measured.map(({ intervalMs, reads, cpuSeconds }) => [intervalMs, reads, cpuSeconds.toFixed(2)]);
    const notes = [
      `A poll takes ${pollMs.toFixed(3)} ms, and the rest ${idleMs.toFixed(1)} ms a second.`,
      `The machine’s load average was ${loadavg()[0]?.toFixed(1)}.`,
    ];
    report([{ title: 'Idle hosts', head: ['poll interval ms', 'reads', 'processor s'], rows, notes }], {
      pollMs,
      idleMs,
    });
  } finally {
    await Promise.all(hosts.map((host) => host.stop()));
  }
});
process.exit();

/** The metrics of a host: its reads of the table, and its CPU time. */
async function readMetrics(port: number): Promise<{ reads: number; cpuSeconds: number }> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const figure = (name: string) => Number(new RegExp(`^${name} ([\\d.e+-]+)`, 'm').exec(text)?.[1]);
  const found = { reads: figure('flagwire_table_reads_total'), cpuSeconds: figure('process_cpu_seconds_total') };
  if (Number.isNaN(found.reads + found.cpuSeconds)) throw new Error('the host’s metrics lack reads or CPU time');
  return found;
}
