import { readdir, readlink } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { sumOf } from '../../../shared/statistics/sumOf.ts';
import { ready, type Testbed, withGenerators } from '../../testbed/testbed.ts';
import { none, progress, type Result, round } from '../benchmark.ts';

const TOTAL = 30_000;
const GENERATORS = 2;
const RATE = 500;
const WATCH_MS = 20_000;

/** Opens more connections than one process can hold, on two processes that share a port. */
export async function measurePair(testbed: Testbed): Promise<Result> {
  progress(`pair: ${TOTAL} connections on two processes`);
  const first = testbed.startServer('host', { REUSE_PORT: 'true' });
  const port = await ready(first, 'host');
  const second = testbed.startServer('host', { REUSE_PORT: 'true', PORT: String(port) });
  const servers = [first, second];
  try {
    await second.listening();
    return await withGenerators(await testbed.targetOf('host', port), GENERATORS, async (generators) => {
      const idle = servers.map((server) => server.usage().resident);
      await Promise.all(generators.map((each) => each.ask('storm', { rate: RATE, count: TOTAL / GENERATORS })));
      await Promise.all(generators.map((each) => each.ask('ping', null)));
      await sleep(WATCH_MS);
      const tallies = await Promise.all(generators.map((each) => each.ask('tally', null)));
      const held = await Promise.all(servers.map(({ pid }) => countSockets(pid)));
      const memory = servers.map((server, n) => server.usage().resident - (idle[n] ?? 0));
      const errors = sumOf(tallies, (each) => each.errors);
      const unanswered = sumOf(tallies, ({ pings, pongs }) => pings - pongs);
      return {
        title: 'Two processes on one port',
        head: ['process', 'held', 'MB more than idle', 'bytes each'],
        rows: memory.map((bytes, n) => [n + 1, held[n] ?? 0, round(bytes / 2 ** 20), round(bytes / (held[n] ?? 1))]),
        bounds: [
          { name: 'held in all', measured: sumOf(tallies, ({ open }) => open), unit: 'connections', atLeast: TOTAL },
          none('pings without an answer', unanswered),
          none('errors', errors),
        ],
        notes: ['Both processes share one core. The kernel distributes connections.'],
      };
    });
  } finally {
    for (const server of servers) await server.stop();
  }
}

/** Counts the sockets of a process by its open files. */
async function countSockets(pid: number): Promise<number> {
  const directory = `/proc/${pid}/fd`;
  const links = await Promise.all(
    (await readdir(directory)).map((fd) => readlink(`${directory}/${fd}`).catch(() => '')),
  );
  return links.filter((link) => link.startsWith('socket:')).length;
}
