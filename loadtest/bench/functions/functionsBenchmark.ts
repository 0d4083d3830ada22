import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { freePort } from '../../../dev/support/freePort.ts';
import { ofRepository, RunningProcess } from '../../../dev/support/runningProcess.ts';
import { wholeNumber } from '../../../shared/command/numbers.ts';
import { envIdOfSecret } from '../../../shared/protocol/secret.ts';
import { medianItem } from '../../../shared/statistics/quantile.ts';
import { type Registration, shardOf } from '../../../shared/store/connections/connection.ts';
import { toItem } from '../../../shared/store/documents/item.ts';
import { openStore } from '../../../shared/store/store.ts';
import { createDynamoDb } from '../../../shared/store/table/table.ts';
import { registerMany } from '../../../shared/store/testing/manyConnections.ts';
import { begin, benchCommand, progress } from '../benchmark.ts';
import { bundleFunctions } from './bundleFunctions.ts';
import { EVENTS, type Subject } from './events.ts';
import type { CallCost, FunctionRequests } from './functionInstance.ts';

/** Calls before the measurement, until the code is compiled. */
const WARM_UP = 300;
/** Calls of deliver to a shard with connections. Each call sends to all of them. */
const DELIVERIES = 50;
/** Connections of that shard. */
const CONNECTIONS = 1_000;
const SHARDS = 16;

const command = benchCommand('functions')
  .option('--calls <n>', 'number of calls of each function', wholeNumber, 2_000)
  .option('--rounds <n>', 'number of processes for each function. The result is their median', wholeNumber, 5);
const { options, report } = begin<{ calls: number; rounds: number }>(command);

// Loaded on demand, so that --help and errors are fast.
const { synthesizeTemplates } = await import('../../../infra/inProcess.ts');
const { readConfig } = await import('../../../infra/config/config.ts');
const { startLocal } = await import('../../../dev/emulator/emulator.ts');
const { seedExamples } = await import('../../../dev/local/seed.ts');
const folder = mkdtempSync(join(tmpdir(), 'flagwire-bench-'));
// The calls are one after another, so that the limit of the usage table would throttle them.
const templates = synthesizeTemplates({ ...readConfig(), usageWritesPerSecond: 10_000 });
const stack = await startLocal({ templates, dataDir: folder });
try {
  const { client: clientKey } = (await seedExamples(stack, folder, 'benchmark')).keys;
  const posts = await simulateConnections();
  const store = openStore({ client: createDynamoDb(), ...stack.tables });
  const envId = envIdOfSecret(clientKey) as string;
  const flag = (await store.documents.load(envId)).find(({ kind }) => kind === 'flag');
  if (!flag) throw new Error('the benchmark environment has no flag');
  const full = shardOf('bench-held-0');
  const requestedAt = Date.now() - 3_600_000;
  const held: Registration[] = [{ id: 'bench-held-0', type: 'server', requestedAt }];
  for (let n = 1; held.length < CONNECTIONS; n++) {
    const id = `bench-held-${n}`;
    if (shardOf(id) === full) held.push({ id, type: 'server', requestedAt });
  }
  const table = { client: createDynamoDb(), connections: stack.tables.connections };
  await registerMany(table, envId, held as [Registration, ...Registration[]]);
  const subject = { clientKey, envId, image: toItem(flag) as Subject['image'], shard: (full + 1) % SHARDS };
  const bundles = bundleFunctions(templates);
  const measure = async (name: string, to: Omit<Subject, 'startedAt'>, calls: number): Promise<CallCost> => {
    const bundle = bundles.find(({ entry }) => entry.endsWith(`/${name}.ts`));
    if (!bundle) throw new Error(`no stack has a function ${name}`);
    const environment = {
      PATH: process.env['PATH'],
      ...bundle.environment,
      ...stack.environment,
      CONNECTIONS_ENDPOINT: posts.endpoint,
      AWS_LAMBDA_FUNCTION_NAME: name,
      AWS_LAMBDA_LOG_GROUP_NAME: name,
      STAGE: 'bench',
    };
    const all: CallCost[] = [];
    for (let round = 1; round <= options.rounds; round++) {
      progress(`${name}: process ${round} of ${options.rounds}`);
      const settings = { environment, stdout: 'ignore', stderr: 'inherit', hasIpc: true } as const;
      const instance = new RunningProcess(ofRepository('loadtest/bench/functions/functionInstance.ts'), settings);
      const ask = instance.requests<FunctionRequests>();
      await ask('load', bundle.path);
      const now = { ...to, startedAt: Date.now() };
      const warmUp = Math.min(WARM_UP, calls);
      const events = Array.from({ length: warmUp + calls }, (_, n) => EVENTS[name]?.(now, n) as object);
      await ask('call', events.slice(0, warmUp));
      all.push(await ask('call', events.slice(warmUp)));
      await instance.stop();
    }
    return medianItem(all, ({ cpuMs }) => cpuMs) as CallCost;
  };
  const idle = await measure('deliver', subject, options.calls);
  const busy = await measure('deliver', { ...subject, shard: full }, Math.min(DELIVERIES, options.calls));
  const measured: Record<string, CallCost> = {
    // A delivery logs its metrics only if there are connections.
    deliver: { ...idle, logBytes: busy.logBytes },
    post: {
      ...busy,
      cpuMs: (busy.cpuMs - idle.cpuMs) / CONNECTIONS,
      wallMs: (busy.wallMs - idle.wallMs) / CONNECTIONS,
      logBytes: 0,
    },
  };
  posts.reset();
  // Heal runs before connections wait for healing. Revoke runs only when a secret is ended. The stack delivers what publish changes,
  // and finds that the connections are gone.
  for (const name of ['heal', 'connect', 'default', 'disconnect', 'http', 'sync', 'publish']) {
    const found = await measure(name, subject, options.calls);
    const { messages, bytes } = posts.reset();
    measured[name] = messages === 0 ? found : { ...found, answerBytes: bytes / messages };
  }
  const rows = Object.entries(measured).map(([name, { cpuMs, wallMs, logBytes, memoryMb }]) => [
    name,
    cpuMs.toFixed(3),
    wallMs.toFixed(3),
    logBytes.toFixed(0),
    memoryMb.toFixed(0),
  ]);
  const notes = [
    'The emulator’s table and @connections are in another process. A post is a message of deliver to one connection.',
  ];
  const head = ['function', 'processor ms', 'wall ms', 'log bytes', 'memory MB'];
  report([{ title: 'A call of each function', head, rows, notes }], { measured });
} finally {
  await stack.close();
  rmSync(folder, { recursive: true });
}
process.exit();

/** Simulates API Gateway's `@connections`, which accepts each message. */
async function simulateConnections() {
  let counts = { messages: 0, bytes: 0 };
  const port = await freePort();
  const server = createServer(async (request, response) => {
    const body = await text(request);
    counts = { messages: counts.messages + 1, bytes: counts.bytes + Buffer.byteLength(body) };
    response.end();
  });
  server.listen(port, '127.0.0.1').keepAliveTimeout = 60_000;
  return {
    endpoint: `http://127.0.0.1:${port}/streaming`,
    /** Returns the counts since the last call. */
    reset: () => {
      const before = counts;
      counts = { messages: 0, bytes: 0 };
      return before;
    },
  };
}
