import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { InvalidArgumentError } from 'commander';
import { describeCommit, describeMachine } from '../../../dev/support/machine.ts';
import { readConfig } from '../../../infra/config/config.ts';
import { entryMetadata } from '../../../infra/constructs/lambdaEntry.ts';
import { npmCommand } from '../../../shared/command/npmCommand.ts';
import { wholeNumber } from '../../../shared/command/numbers.ts';
import { envIdOfSecret } from '../../../shared/protocol/secret.ts';
import { makeCertificate, PlayedConnections } from '../../machine/playedConnections.ts';
import { shareOfProcessor } from '../../machine/processorShare.ts';
import { withSection } from '../../results/pageSections.ts';
import { withBundles } from '../bundles/bundleFunctions.ts';
import { callUntilDone, type FunctionSetting } from './instances.ts';
import { type Delivery, type DeliveryResult, HEADING, sectionOf } from './result.ts';
import { Shards } from './shards.ts';

const ENTRY = 'functions/lambda/deliver.ts';
const WHOLE_PROCESSOR_MB = 1_769;
/** Calls of one shard after which it is given up. */
const MOST_CALLS = 40;
const MOST_CONNECTIONS = 200_000;
const results = join(import.meta.dirname, '../../../docs/results');
const TITLE = '# The serverless path, measured\n';

const { connections, latency, unpaced, write } = npmCommand(
  'bench:delivery',
  'One change to all connections of a large environment, by the bundle that is deployed, against a played @connections over\n' +
    'TLS: what calls take, one at a time, and from that when everybody has it. Needs openssl. Takes about four minutes.',
)
  .option(
    '--connections <n>',
    `connections of the environment, at most ${MOST_CONNECTIONS}`,
    atMost(MOST_CONNECTIONS),
    100_000,
  )
  .option('--latency <ms>', 'how long the played @connections takes for a message', wholeNumber, 12)
  .option('--unpaced', 'only as fast as processor and latency allow, without the pace of the stack')
  .option('--no-write', 'leave docs/results/serverless.md and docs/results/serverless/delivery.json as they are')
  .parse()
  .opts<{ connections: number; latency: number; unpaced?: boolean; write: boolean }>();

// Loaded when they are needed: --help and a wrong option answer at once.
const { synthesizeTemplates } = await import('../../../infra/inProcess.ts');
const { startLocal } = await import('../../../dev/emulator/emulator.ts');
const { seedBenchmark } = await import('../../../dev/local/seed.ts');
const templates = synthesizeTemplates();
const deliver = Object.values(templates)
  .flatMap(({ Resources }) => Object.values(Resources))
  .find(({ Metadata }) => Metadata?.[entryMetadata] === ENTRY);
const { MemorySize, Timeout, Environment } = (deliver?.Properties ?? {}) as {
  readonly MemorySize: number;
  readonly Timeout: number;
  readonly Environment: { readonly Variables: { readonly POSTS_PER_SECOND: string } };
};
const pace = Number(Environment.Variables.POSTS_PER_SECOND);
const { deliverConcurrency } = readConfig();

const [loadBefore = 0] = loadavg();
const folder = mkdtempSync(join(tmpdir(), 'flagwire-delivery-'));
const share = shareOfProcessor(MemorySize / WHOLE_PROCESSOR_MB);
const tls = makeCertificate(folder);
const gateway = await PlayedConnections.start(latency, tls);
const stack = await startLocal({ templates, dataDir: folder });
try {
  const keys = await seedBenchmark(stack, folder);
  const shards = await Shards.open(stack, envIdOfSecret(keys.client) as string);
  await shards.fill(connections, (registered) => progress(`${registered} of ${connections} connections`));
  const result = await withBundles(async (bundles): Promise<DeliveryResult> => {
    const setting: FunctionSetting = {
      bundle: bundles.find(({ entry }) => entry === ENTRY)?.path ?? '',
      environment: {
        PATH: process.env['PATH'],
        ...stack.environment,
        CONNECTIONS_ENDPOINT: gateway.endpoint,
        NODE_EXTRA_CA_CERTS: tls.certificate,
        AWS_LAMBDA_FUNCTION_NAME: 'deliver',
      },
      timeoutMs: Timeout * 1_000,
      share: typeof share === 'string' ? undefined : share,
    };
    const deliveries: Delivery[] = [];
    for (const rate of unpaced ? [null] : [pace, null]) deliveries.push(await deliverAt(rate, setting, shards));
    return {
      at: new Date().toISOString(),
      commit: describeCommit('functions', 'shared'),
      machine: { ...describeMachine(), node: process.version },
      connections,
      latencyMs: latency,
      memoryMb: MemorySize,
      timeoutMs: setting.timeoutMs,
      groups: deliverConcurrency - 1,
      othersLoad: loadBefore,
      processor:
        typeof share === 'string'
          ? `its share of a processor could not be held to (${share})`
          : `a control group held it to its share of a processor, ${(MemorySize / WHOLE_PROCESSOR_MB).toFixed(2)}`,
      deliveries,
    };
  });
  console.log(sectionOf(result));
  if (write) writeResult(result);
} finally {
  gateway.close();
  await stack.close();
  if (typeof share !== 'string') share.close();
  rmSync(folder, { recursive: true });
}

/** @param rate messages a second of a call; null for any */
async function deliverAt(rate: number | null, setting: FunctionSetting, shards: Shards): Promise<Delivery> {
  const environment = { ...setting.environment, POSTS_PER_SECOND: String(rate ?? 1e9) };
  const bodyOf = shards.nextChange();
  const found: Delivery['shards'][number][] = [];
  await gateway.received();
  for (const [shard, held] of shards.counts.entries()) {
    const sentAt = String(Date.now());
    const eventOf = (timesReceived: number) => ({
      Records: [
        {
          messageId: `${shard}`,
          receiptHandle: `${shard}`,
          attributes: {
            ApproximateReceiveCount: `${timesReceived}`,
            SentTimestamp: sentAt,
            MessageGroupId: `${shard}`,
          },
          body: bodyOf(shard),
        },
      ],
    });
    const calls = await callUntilDone({ ...setting, environment }, eventOf, MOST_CALLS);
    found.push(calls);
    const ms = calls.reduce((sum, { wallMs }) => sum + wallMs, 0);
    progress(`shard ${shard}: ${held} connections, ${calls.length} calls, ${(ms / 1_000).toFixed(1)} s`);
  }
  const { messages, connections: reached } = await gateway.received();
  return { postsPerSecond: rate, shards: found, received: { messages, connections: reached } };
}

function writeResult(result: DeliveryResult): void {
  mkdirSync(join(results, 'serverless'), { recursive: true });
  writeFileSync(join(results, 'serverless/delivery.json'), `${JSON.stringify(result, null, 2)}\n`);
  const page = join(results, 'serverless.md');
  const before = existsSync(page) ? readFileSync(page, 'utf8') : TITLE;
  writeFileSync(page, withSection(before, HEADING, sectionOf(result)));
  progress('wrote docs/results/serverless.md and docs/results/serverless/delivery.json');
}

function progress(text: string): void {
  process.stderr.write(`${text}\n`);
}

function atMost(limit: number) {
  return (text: string): number => {
    const value = wholeNumber(text);
    if (value > limit) throw new InvalidArgumentError(`must be ${limit} at most.`);
    return value;
  };
}
