import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { Command } from 'commander';
import { ManagementApi } from '../../../functions/push/managementApi.ts';
import { createSync } from '../../../functions/websocket/sync.ts';
import { figuresTable } from '../../../shared/command/figuresTable.ts';
import { wholeNumber, wholeNumbers } from '../../../shared/command/numbers.ts';
import type { PatchContents } from '../../../shared/delivery/sdk.ts';
import { median } from '../../../shared/statistics/quantile.ts';
import { systemEffects } from '../../../shared/store/effects.ts';
import { SnapshotCache } from '../../../shared/store/snapshotCache.ts';
import { startTestTables, type TestStore } from '../../../shared/store/testing/testTables.ts';
import { PlayedConnections } from '../../machine/playedConnections.ts';
import { ended, stampOf, typed } from '../../measure/stamp.ts';
import { repeatedFlags } from './flags.ts';
import type { Window, Windows } from './result.ts';

/** The function that answers ends then. */
const FUNCTION_MS = 28_000;

/** What came of one answer. */
type Answer = Pick<Window, 'messages' | 'bytes' | 'windowMs'>;

const SDKS: readonly (readonly [string, PatchContents])[] = [
  ['Node, .NET', 'any'],
  ['Python', 'one-kind'],
  ['Go, Java, others', 'one-item'],
];

const { flags, rounds, latency, out } = new Command('npm run bench:window --')
  .description('For how long a server-side SDK is ready with part of its flags, over API Gateway as it is played here.')
  .option('--flags <n,…>', 'sizes of environments', wholeNumbers, [100, 300, 1_000, 3_000])
  .option('--latency <ms>', 'how long a post to @connections takes', wholeNumber, 12)
  .option('--rounds <n>', 'answers of which the median counts', wholeNumber, 3)
  .option('--out <file>', 'write the result there too, as JSON (default: none)')
  .addHelpText(
    'after',
    '\nFlags are FeatBit’s five benchmark flags again and again, with its two segments. The answer is made and posted by the code of\n' +
      'the function that answers a data-sync, on a whole processor, to a server of another process on this machine. 3,000 flags one\n' +
      'by one take 40 s a round at 12 ms; nothing leaves this machine.',
  )
  .parse()
  .opts<{ flags: number[]; rounds: number; latency: number; out?: string }>();
const stamp = stampOf(typed('bench:window', process.argv.slice(2)));

const database = await startTestTables();
const store = database.open(systemEffects);
const gateway = await PlayedConnections.start(latency);
try {
  const sync = createSync({
    ...store,
    snapshots: new SnapshotCache(store, () => {}),
    sender: new ManagementApi({
      endpoint: gateway.endpoint,
      region: 'us-east-1',
      keys: async () => ({ accessKeyId: 'id', secretAccessKey: 'key' }),
    }),
    effects: systemEffects,
  });
  const found: Window[] = [];
  for (const count of flags) {
    const envId = await makeEnvironment(store, count);
    for (const [sdk, patchContents] of SDKS) {
      const answers: Answer[] = [];
      // The first one reads the environment, and does not count.
      for (let round = 0; round <= rounds; round++) {
        if (round === 0 && patchContents !== 'any') continue;
        const answered = await answer(sync, gateway, envId, patchContents);
        if (round > 0) answers.push(answered);
      }
      found.push(windowOf(count, sdk, answers));
    }
  }
  console.log(figuresTable(['flags', 'SDK', 'messages', 'KB', 'window, ms'], found.map(rowOf)));
  const result: Windows = {
    stamp: ended(stamp),
    latencyMs: latency,
    functionMs: FUNCTION_MS,
    rounds,
    windows: found,
  };
  if (out !== undefined) {
    mkdirSync(dirname(out), { recursive: true });
    writeFileSync(out, `${JSON.stringify(result, null, 2)}\n`);
  }
} finally {
  gateway.close();
  store.close();
  await database.close();
}

/** Asks for everything as an SDK. An answer in one message has no window. */
async function answer(
  sync: ReturnType<typeof createSync>,
  to: PlayedConnections,
  envId: string,
  patchContents: PatchContents,
): Promise<Answer> {
  await sync({
    body: '{"messageType":"data-sync","data":{"timestamp":0}}',
    requestContext: {
      connectionId: `connection-${systemEffects.uuid()}`,
      routeKey: 'data-sync',
      requestTimeEpoch: systemEffects.now(),
      authorizer: { envId, type: 'server', patchContents },
    },
  });
  const { messages, bytes, spanMs } = await to.received();
  return { messages, bytes, windowMs: spanMs };
}

async function makeEnvironment({ environments, documents }: TestStore, count: number): Promise<string> {
  const { environment } = await environments.create(`${count} flags`);
  await documents.import(environment.id, repeatedFlags(count));
  return environment.id;
}

function windowOf(flags: number, sdk: string, answers: readonly Answer[]): Window {
  const figure = (of: (answer: Answer) => number) => Math.round(median(answers.map(of)));
  return {
    flags,
    sdk,
    messages: figure(({ messages }) => messages),
    bytes: figure(({ bytes }) => bytes),
    windowMs: figure(({ windowMs }) => windowMs),
  };
}

function rowOf({ flags, sdk, messages, bytes, windowMs }: Window): string[] {
  const note = windowMs > FUNCTION_MS ? ' (ends at 28,000)' : '';
  const [count = '', ...figures] = [flags, messages, bytes / 1_000, windowMs].map((n) =>
    Math.round(n).toLocaleString('en'),
  );
  return [count, sdk, ...figures.slice(0, 2), `${figures[2]}${note}`];
}
