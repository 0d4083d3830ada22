import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { describeCommit, describeMachine } from '../../../dev/support/machine.ts';
import { figuresTable } from '../../../shared/command/figuresTable.ts';
import { npmCommand } from '../../../shared/command/npmCommand.ts';
import { envIdOfSecret } from '../../../shared/protocol/secret.ts';
import { medianItem } from '../../../shared/statistics/quantile.ts';
import { shardOf } from '../../../shared/store/connection.ts';
import { toItem } from '../../../shared/store/item.ts';
import { openStore } from '../../../shared/store/store.ts';
import { createDynamoDb } from '../../../shared/store/table.ts';
import { connect } from '../../../shared/store/testing/connect.ts';
import { PlayedConnections } from '../../machine/playedConnections.ts';
import { type FunctionBundle, withBundles } from '../bundles/bundleFunctions.ts';
import type { Measured, Order } from './functionWorker.ts';

/** Calls that are measured of each function; of deliver fewer, as each sends to all of a shard. */
const CALLS = 2_000;
const DELIVERIES = 50;
/** Connections of the shard that changes are delivered to. */
const CONNECTIONS = 1_000;
/** Processes for each; the median is kept. */
const ROUNDS = 5;

const { out } = npmCommand(
  'bench:functions',
  'Processor time and log of a call of each function, of the bundles that are deployed.',
)
  .option('--out <file>', 'write the results there too, as JSON (default: none)')
  .parse()
  .opts<{ out?: string }>();
// Loaded when they are needed: --help and a wrong option answer at once.
const { synthesizeTemplates } = await import('../../../infra/inProcess.ts');
const { startLocal } = await import('../../../dev/emulator/emulator.ts');
const { seedBenchmark } = await import('../../../dev/local/seed.ts');
const data = mkdtempSync(join(tmpdir(), 'flagwire-functions-'));
const stack = await startLocal({ templates: synthesizeTemplates(), dataDir: data });
const connections = await PlayedConnections.start();
try {
  const { client: clientKey } = await seedBenchmark(stack, data);
  const store = openStore({ client: createDynamoDb(), ...stack.tables });
  const envId = envIdOfSecret(clientKey) as string;
  const flag = (await store.documents.load(envId)).find(({ kind }) => kind === 'flag');
  if (!flag) throw new Error('the benchmark environment has no flag');
  const full = shardOf('bench-held-0');
  for (let n = 0, held = 0; held < CONNECTIONS; n++) {
    if (shardOf(`bench-held-${n}`) !== full) continue;
    const requestedAt = Date.now() - 3_600_000;
    await connect(store.connections, envId, { id: `bench-held-${n}`, type: 'server', requestedAt });
    held++;
  }
  const common = { clientKey, envId, image: toItem(flag) as Order['image'] };
  const measured: Record<string, Measured> = {};
  await withBundles(async (bundles) => {
    // Revoke runs only when a secret is ended, which is no part of a load; heal is measured before there is anybody to heal.
    const loaded = bundles.filter((bundle) => nameOf(bundle) !== 'revoke');
    for (const bundle of loaded.toSorted((a, b) => Number(nameOf(b) === 'heal') - Number(nameOf(a) === 'heal'))) {
      const event = nameOf(bundle) as Order['event'];
      const order = { ...common, path: bundle.path, event, shard: (full + 1) % 16, calls: CALLS } satisfies Order;
      if (event !== 'deliver') {
        const found = await medianOf(event, order);
        const { messages, bytes } = await connections.received();
        measured[event] = messages === 0 ? found : { ...found, answerBytes: bytes / messages };
        continue;
      }
      const idle = await medianOf('deliver, nobody connected', { ...order, calls: CALLS });
      const busy = await medianOf(`deliver, ${CONNECTIONS} connections`, { ...order, shard: full, calls: DELIVERIES });
      // A delivery leaves its metrics only where somebody is connected, and no others are made.
      measured['deliver'] = { ...idle, logBytes: busy.logBytes };
      measured['post'] = {
        cpuMs: (busy.cpuMs - idle.cpuMs) / CONNECTIONS,
        wallMs: (busy.wallMs - idle.wallMs) / CONNECTIONS,
        logBytes: 0,
      };
    }
  });
  report(measured);
} finally {
  connections.close();
  await stack.close();
  rmSync(data, { recursive: true });
}

function nameOf({ entry }: FunctionBundle): string {
  return /\/(\w+)\.ts$/.exec(entry)?.[1] ?? '';
}

async function medianOf(name: string, order: Order): Promise<Measured> {
  const all: Measured[] = [];
  for (let round = 1; round <= ROUNDS; round++) {
    process.stderr.write(`${name}: process ${round} of ${ROUNDS}\n`);
    all.push(await runOnce(order));
  }
  return medianItem(all, ({ cpuMs }) => cpuMs) as Measured;
}

async function runOnce(order: Order): Promise<Measured> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'functionWorker.ts')], {
    env: {
      PATH: process.env['PATH'],
      ...stack.environment,
      CONNECTIONS_ENDPOINT: connections.endpoint,
      AWS_LAMBDA_FUNCTION_NAME: order.event,
      STAGE: 'bench',
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end(JSON.stringify(order));
  const answer = await text(child.stdout);
  if (!answer) throw new Error(`${order.event} could not be measured: its process said nothing`);
  return JSON.parse(answer);
}

function report(measured: Readonly<Record<string, Measured>>): void {
  const machine = { cpu: describeMachine().cpu, node: process.version };
  const rows = Object.entries(measured).map(([name, { cpuMs, wallMs, logBytes }]) => [
    name,
    cpuMs.toFixed(3),
    wallMs.toFixed(3),
    logBytes.toFixed(0),
  ]);
  console.log(`${machine.cpu}, Node ${machine.node}; the table is the emulator's, in another process`);
  console.log(figuresTable(['a call of', 'processor ms', 'wall ms', 'log bytes'], rows));
  if (!out) return;
  const path = resolve(out);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(
    path,
    `${JSON.stringify({ commit: describeCommit(), machine, at: new Date().toISOString(), rounds: ROUNDS, measured }, null, 2)}\n`,
  );
}
