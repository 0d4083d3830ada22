import { setTimeout as sleep } from 'node:timers/promises';
import { ready, type Testbed } from '../../testbed/testbed.ts';
import { type Result, round } from './result.ts';

const TOTAL = 30_000;
const GENERATORS = 2;
const RATE = 500;
const WATCH_MS = 20_000;

/** Two processes that share a port hold together what each of them could not alone. */
export async function measurePair(testbed: Testbed): Promise<Result> {
  process.stderr.write(`… pair: ${TOTAL} connections on two processes\n`);
  const first = testbed.startServer('host', { REUSE_PORT: 'true' });
  const port = await ready(first, 'host');
  const second = testbed.startServer('host', { REUSE_PORT: 'true', PORT: String(port) });
  const servers = [first, second];
  try {
    await second.port();
    return await testbed.withGenerators(testbed.targetOf('host', port), GENERATORS, async (generators) => {
      const idle = servers.map((server) => server.usage().resident);
      await Promise.all(generators.map((each) => each.ask('storm', { rate: RATE, count: TOTAL / GENERATORS })));
      await Promise.all(generators.map((each) => each.ask('ping', null)));
      await sleep(WATCH_MS);
      const tallies = await Promise.all(generators.map((each) => each.ask('tally', null)));
      const held = await Promise.all(servers.map((server) => openConnectionsOf(server.child.pid)));
      const sum = (of: (tally: (typeof tallies)[number]) => number) =>
        tallies.reduce((all, tally) => all + of(tally), 0);
      const memory = servers.map((server, i) => server.usage().resident - (idle[i] ?? 0));
      return {
        title: 'Two processes on one port',
        head: ['process', 'held', 'MB more than idle', 'bytes each'],
        rows: servers.map((_, i) => [
          i + 1,
          held[i] ?? 0,
          round((memory[i] ?? 0) / 2 ** 20),
          round((memory[i] ?? 0) / (held[i] ?? 1)),
        ]),
        bounds: [
          { name: 'held in all', measured: sum(({ open }) => open), unit: 'connections', atLeast: TOTAL },
          { name: 'pings without an answer', measured: sum(({ pings, pongs }) => pings - pongs), unit: '', atMost: 0 },
          { name: 'errors', measured: sum(({ errors }) => errors), unit: '', atMost: 0 },
        ],
        invalid: [],
        notes: ['Both processes are on one core here; the kernel deals connections out among them.'],
        charts: [],
      };
    });
  } finally {
    for (const server of servers) await server.stop();
  }
}

/** Sockets of a process, by its open files. */
export async function openConnectionsOf(pid: number | undefined): Promise<number> {
  const { readdir, readlink } = await import('node:fs/promises');
  const directory = `/proc/${pid}/fd`;
  const links = await Promise.all(
    (await readdir(directory)).map((fd) => readlink(`${directory}/${fd}`).catch(() => '')),
  );
  return links.filter((link) => link.startsWith('socket:')).length;
}
