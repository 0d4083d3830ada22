import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeCommit, describeMachine } from '../../../dev/support/machine.ts';
import { npmCommand } from '../../../shared/command/npmCommand.ts';
import { median } from '../../../shared/statistics/quantile.ts';
import { ENDPOINTS, FILLINGS, messages, PATTERNS } from './payloads.ts';

/** `npm run bench:requests`. */
const { rounds, only } = npmCommand(
  'bench:requests',
  'Processor time that one hostile request costs the host on Bun and on Node, as JSON.',
)
  .option('--rounds <n>', 'rounds, of which the median counts', Number, 5)
  .option('--only <text>', 'endpoints whose path has this text', '')
  .parse()
  .opts<{ rounds: number; only: string }>();
// Loaded when they are needed: --help and a wrong option answer at once.
const { synthesizeTemplates } = await import('../../../infra/inProcess.ts');
const { startLocal } = await import('../../../dev/emulator/emulator.ts');
const { seedBenchmark } = await import('../../../dev/local/seed.ts');
const { RawSocket } = await import('../../../dev/support/rawSocket.ts');
const { HostProcess } = await import('../../../dev/support/hostProcess.ts');
const { encodeToken } = await import('../../../shared/protocol/token.ts');
const { openStore } = await import('../../../shared/store/store.ts');
const { createDynamoDb } = await import('../../../shared/store/table.ts');
const { aCondition, aFlag, aRule } = await import('../../../shared/testing/builders.ts');

const RUNTIMES = ['bun', 'node'] as const;
/** A user is taken up to 32 KB. */
const BYTES = [30_000, 60_000, 100_000, 1_000_000];
/** A WebSocket's messages are taken up to 32 KB, and end the connection over 128 KB. */
const MESSAGE_BYTES = [30_000, 60_000, 100_000];

type Running = Awaited<ReturnType<typeof start>>;
const data = mkdtempSync(join(tmpdir(), 'flagwire-requests-'));
const stack = await startLocal({ templates: synthesizeTemplates(), dataDir: data });
const hosts: Running[] = [];
try {
  const { client } = await seedBenchmark(stack, data);
  const store = openStore({ client: createDynamoDb({ endpoint: stack.dynamoDbEndpoint }), flags: stack.tables.flags });
  const [{ id } = { id: '' }] = await store.environments.list();
  for (const [n, pattern] of PATTERNS.entries()) {
    const rules = [aRule([aCondition('text', 'MatchRegex', pattern)])];
    await store.documents.writeFlag(id, `pattern-${n}`, () => aFlag({ key: `pattern-${n}`, rules }));
  }
  const rules = [aRule([aCondition('text', 'BiggerThan', '1')])];
  await store.documents.writeFlag(id, 'number', () => aFlag({ key: 'number', rules }));
  for (const runtime of RUNTIMES) hosts.push(await start(runtime, client));
  const rows = [];
  for (const [path, bodies] of [...Object.entries(ENDPOINTS), ['data-sync', messages] as const]) {
    if (!path.includes(only)) continue;
    for (const bytes of path === 'data-sync' ? MESSAGE_BYTES : BYTES) {
      for (const [filling, of] of Object.entries(FILLINGS))
        rows.push(await measure(path, filling, bytes, bodies(of(bytes))));
    }
  }
  rows.sort((a, b) => b.highest.ratio - a.highest.ratio);
  const about = { machine: describeMachine(), commit: describeCommit(), at: new Date().toISOString(), rounds };
  console.log(JSON.stringify({ ...about, rows }, null, 1));
} finally {
  await Promise.all(hosts.map(({ host }) => host.stop('SIGKILL')));
  await stack.close();
  rmSync(data, { recursive: true });
}

/** A host with one WebSocket. */
async function start(runtime: (typeof RUNTIMES)[number], key: string) {
  process.env['HOST_RUNTIME'] = runtime;
  const host = await HostProcess.start(stack, { PORT: '0', INSIGHT_FILE: '/dev/null', IDLE_TIMEOUT_MS: '86400000' });
  const token = encodeToken(key, Date.now(), 7);
  const socket = await RawSocket.open(`ws://127.0.0.1:${host.port}/streaming?type=client&token=${token}`);
  await socket.sync({ timestamp: 0, user: { keyId: 'u' } });
  const readings: number[] = [];
  for (let n = 0; n < 50; n++) readings.push(await cpuMs({ host }));
  // The first ones compile.
  const readingMs = median(readings.slice(26).map((reading, n) => reading - (readings[n + 25] as number)));
  return { runtime, host, socket, readingMs, headers: { authorization: key, 'x-api-key': key } };
}

/** @returns milliseconds on each runtime, the median of all rounds: of the body with the highest ratio, and of the costliest */
async function measure(path: string, filling: string, bytes: number, bodies: readonly string[]) {
  const repeats = bytes > 500_000 ? 5 : 8;
  const costs = bodies.map(() => ({ bun: [] as number[], node: [] as number[] }));
  // The first round warms up, and does not count.
  for (let round = 0; round <= rounds; round++) {
    for (const running of hosts) {
      for (const [place, body] of bodies.entries()) {
        const before = await cpuMs(running);
        for (let n = 0; n < repeats; n++) await ask(running, path, body);
        const spent = (await cpuMs(running)) - before - running.readingMs;
        if (round > 0) costs[place]?.[running.runtime].push(Math.max(0, spent) / repeats);
      }
    }
  }
  const found = costs.map(({ bun, node }) => ({ bunMs: median(bun), nodeMs: median(node) }));
  // Half a millisecond is what one reading of the processor time varies by.
  const rows = found.map(({ bunMs, nodeMs }) => ({ bunMs, nodeMs, ratio: (bunMs + 0.5) / (nodeMs + 0.5) }));
  const none = { bunMs: 0, nodeMs: 0, ratio: 0 };
  const [highest = none] = rows.toSorted((a, b) => b.ratio - a.ratio);
  const [costliest = none] = rows.toSorted((a, b) => b.bunMs + b.nodeMs - a.bunMs - a.nodeMs);
  return { path, filling, bytes, highest: rounded(highest), costliest: rounded(costliest) };
}

function rounded<T extends object>(figures: T): T {
  return Object.fromEntries(Object.entries(figures).map(([name, figure]) => [name, Number(figure.toFixed(2))])) as T;
}

async function ask({ host, headers, socket }: Running, path: string, body: string): Promise<void> {
  if (path !== 'data-sync') {
    await (await fetch(`http://127.0.0.1:${host.port}${path}`, { method: 'POST', headers, body })).arrayBuffer();
    return;
  }
  socket.send(body);
  socket.send({ messageType: 'ping', data: null });
  while (!(await socket.nextText()).includes('pong'));
}

/** Processor time so far; more precise than the hundredths of a second of /proc. */
async function cpuMs({ host }: Pick<Running, 'host'>): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${host.port}/metrics`)).text();
  return Number(/^process_cpu_seconds_total ([\d.e+-]+)/m.exec(text)?.[1]) * 1_000;
}
