import { HostProcess } from '../../../dev/support/hostProcess.ts';
import { RawSocket } from '../../../dev/support/rawSocket.ts';
import { wholeNumber } from '../../../shared/command/numbers.ts';
import { encodeToken } from '../../../shared/protocol/token.ts';
import { median } from '../../../shared/statistics/quantile.ts';
import { openStore } from '../../../shared/store/store.ts';
import { createDynamoDb } from '../../../shared/store/table/table.ts';
import { aCondition, aFlag, aRule } from '../../../shared/testing/builders.ts';
import { begin, benchCommand, progress, round } from '../benchmark.ts';
import { readMetrics } from '../hostMetrics.ts';
import { type BenchStack, withStack } from '../localStack.ts';
import { ENDPOINTS, FILLINGS, messages, PATTERNS } from './payloads.ts';

const RUNTIMES = ['bun', 'node'] as const;
/** A user may have up to 32 KB. */
const BYTES = [30_000, 60_000, 100_000, 1_000_000];
/** A WebSocket message over 128 KB ends the connection. */
const MESSAGE_BYTES = [30_000, 60_000, 100_000];
/** What one reading of the processor time varies by. */
const PRECISION_MS = 0.5;

const command = benchCommand('requests')
  .option('--rounds <n>', 'number of rounds. The result is their median', wholeNumber, 5)
  .option('--only <text>', 'measure only endpoints whose path contains this text', '');
const { options, report } = begin<{ rounds: number; only: string }>(command);

type Running = Awaited<ReturnType<typeof start>>;

await withStack(async (bench) => {
  await writeFlags(bench);
  const hosts: Running[] = [];
  try {
    for (const runtime of RUNTIMES) hosts.push(await start(bench, runtime));
    const rows: (readonly [string, string, number, number, number, number])[] = [];
    for (const [path, bodies] of [...Object.entries(ENDPOINTS), ['data-sync', messages] as const]) {
      if (!path.includes(options.only)) continue;
      for (const bytes of path === 'data-sync' ? MESSAGE_BYTES : BYTES) {
        progress(`${path}, ${bytes} bytes`);
        for (const [filling, fill] of Object.entries(FILLINGS)) {
          for (const [bunMs, nodeMs] of await measure(hosts, path, bodies(fill(bytes)))) {
            const ratio = (bunMs + PRECISION_MS) / (nodeMs + PRECISION_MS);
            rows.push([path, filling, bytes, round(bunMs), round(nodeMs), round(ratio)]);
          }
        }
      }
    }
    rows.sort((a, b) => b[5] - a[5]);
    const notes = [
      'One row for each place in a request. The ratio adds half a millisecond to both, which a reading varies by.',
    ];
    const head = ['endpoint', 'filling', 'bytes', 'Bun ms', 'Node ms', 'Bun to Node'];
    report([{ title: 'Hostile requests, processor time of one', head, rows, notes }]);
  } finally {
    await Promise.all(hosts.map(({ host }) => host.stop()));
  }
});
process.exit();

/** Flags whose expressions cost most. */
async function writeFlags({ stack }: BenchStack): Promise<void> {
  const store = openStore({ client: createDynamoDb({ endpoint: stack.dynamoDbEndpoint }), flags: stack.tables.flags });
  const [{ id } = { id: '' }] = await store.environments.list();
  const conditions = [
    ...PATTERNS.map((pattern) => aCondition('text', 'MatchRegex', pattern)),
    aCondition('text', 'BiggerThan', '1'),
  ];
  for (const [n, condition] of conditions.entries())
    await store.documents.writeFlag(id, `costly-${n}`, () =>
      aFlag({ key: `costly-${n}`, rules: [aRule([condition])] }),
    );
}

/** A host with one WebSocket. */
async function start({ stack, clientKey }: BenchStack, runtime: (typeof RUNTIMES)[number]) {
  process.env['HOST_RUNTIME'] = runtime;
  const host = await HostProcess.start(stack, { PORT: '0', INSIGHT_FILE: '/dev/null', IDLE_TIMEOUT_MS: '86400000' });
  const token = encodeToken(clientKey, Date.now(), 7);
  const socket = await RawSocket.open(`ws://127.0.0.1:${host.port}/streaming?type=client&token=${token}`);
  await socket.sync({ timestamp: 0, user: { keyId: 'u' } });
  const readings: number[] = [];
  for (let n = 0; n < 50; n++) readings.push(await cpuMs(host));
  // The first ones compile.
  const readingMs = median(readings.slice(26).map((reading, n) => reading - (readings[n + 25] as number)));
  return { host, socket, readingMs, headers: { authorization: clientKey, 'x-api-key': clientKey } };
}

/** @returns milliseconds on each runtime for each body, the median of all rounds */
async function measure(
  hosts: readonly Running[],
  path: string,
  bodies: readonly string[],
): Promise<[number, number][]> {
  const repeats = (bodies[0]?.length ?? 0) > 500_000 ? 5 : 8;
  const costs = bodies.map(() => hosts.map((): number[] => []));
  // The first round warms up, and does not count.
  for (let n = 0; n <= options.rounds; n++) {
    for (const [which, running] of hosts.entries()) {
      for (const [place, body] of bodies.entries()) {
        const before = await cpuMs(running.host);
        for (let sent = 0; sent < repeats; sent++) await send(running, path, body);
        const spent = (await cpuMs(running.host)) - before - running.readingMs;
        if (n > 0) costs[place]?.[which]?.push(Math.max(0, spent) / repeats);
      }
    }
  }
  return costs.map(([bun = [], node = []]) => [median(bun), median(node)]);
}

async function send({ host, headers, socket }: Running, path: string, body: string): Promise<void> {
  if (path !== 'data-sync') {
    await (await fetch(`http://127.0.0.1:${host.port}${path}`, { method: 'POST', headers, body })).arrayBuffer();
    return;
  }
  socket.send(body);
  socket.send({ messageType: 'ping', data: null });
  while (!(await socket.nextText()).includes('pong'));
}

/** Processor time so far, more precise than the hundredths of a second of /proc. */
async function cpuMs({ port }: HostProcess): Promise<number> {
  return (await readMetrics(port)).cpuSeconds * 1_000;
}
