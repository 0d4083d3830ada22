import { ManagementApi } from '../../../functions/push/managementApi.ts';
import { createSync } from '../../../functions/websocket/sync.ts';
import { wholeNumber, wholeNumbers } from '../../../shared/command/numbers.ts';
import type { PatchContents } from '../../../shared/delivery/sdk.ts';
import { systemEffects } from '../../../shared/runtime/effects.ts';
import { median } from '../../../shared/statistics/quantile.ts';
import { SnapshotCache } from '../../../shared/store/snapshotCache.ts';
import { startTestTables } from '../../../shared/store/testing/testTables.ts';
import type { ReceivedCounts } from '../../machine/connectionsServer.ts';
import { startConnections } from '../../machine/playedConnections.ts';
import { repeatedFlags } from '../../machine/repeatedFlags.ts';
import { begin, benchCommand, progress } from '../benchmark.ts';

/** The function that answers ends then; the benchmark continues. */
const FUNCTION_MS = 28_000;

const SDKS: readonly (readonly [string, PatchContents])[] = [
  ['Node, .NET', 'any'],
  ['Python', 'one-kind'],
  ['Go, Java, others', 'one-item'],
];

const HELP = `
The window is the time from the first message of an answer, with which an SDK is ready, to the last. The flags are FeatBit's five
benchmark flags, repeated, with its two segments. 3,000 flags one by one take 40 s a round at 12 ms. Nothing leaves this machine.`;

const command = benchCommand('window')
  .option('--flags <n,…>', 'sizes of environments', wholeNumbers, [100, 300, 1_000, 3_000])
  .option('--latency <ms>', 'how long a post to @connections takes', wholeNumber, 12)
  .option('--rounds <n>', 'answers of which the median counts', wholeNumber, 3)
  .addHelpText('after', HELP);
const { options, report } = begin<{ flags: number[]; rounds: number; latency: number }>(command);

const database = await startTestTables();
const store = database.open(systemEffects);
const gateway = await startConnections(options.latency);
const keys = async () => ({ accessKeyId: 'id', secretAccessKey: 'key' });
const sync = createSync({
  ...store,
  snapshots: new SnapshotCache(store, () => {}),
  sender: new ManagementApi({ endpoint: gateway.endpoint, region: 'us-east-1', keys }, systemEffects),
  effects: systemEffects,
});
try {
  const rows: (string | number)[][] = [];
  for (const count of options.flags) {
    const { environment } = await store.environments.create(`${count} flags`);
    await store.documents.import(environment.id, repeatedFlags(count));
    // The first answer reads the environment, and does not count.
    await answer(environment.id, 'any');
    for (const [sdk, patchContents] of SDKS) {
      progress(`${count} flags, ${sdk}`);
      const answers: ReceivedCounts[] = [];
      for (let n = 0; n < options.rounds; n++) answers.push(await answer(environment.id, patchContents));
      const figure = (of: (answer: ReceivedCounts) => number) => Math.round(median(answers.map(of)));
      const ms = figure(({ spanMs }) => spanMs);
      const row = [figure(({ messages }) => messages), Math.round(figure(({ bytes }) => bytes) / 1_000), ms];
      rows.push([count, sdk, ...row, ms > FUNCTION_MS ? 'ends before' : '']);
    }
  }
  const head = ['flags', 'SDK', 'messages', 'KB', 'window ms', `function of ${FUNCTION_MS / 1_000} s`];
  report([{ title: 'Until an SDK has all flags', head, rows }]);
} finally {
  await gateway.close();
  store.close();
  await database.close();
}

/** Asks for everything as an SDK. */
async function answer(envId: string, patchContents: PatchContents): Promise<ReceivedCounts> {
  await sync({
    body: '{"messageType":"data-sync","data":{"timestamp":0}}',
    requestContext: {
      connectionId: `connection-${systemEffects.uuid()}`,
      routeKey: 'data-sync',
      requestTimeEpoch: systemEffects.now(),
      authorizer: { envId, type: 'server', patchContents },
    },
  });
  return gateway.received();
}
