import { loadavg } from 'node:os';
import { readConfig } from '../../../infra/config/config.ts';
import { entryMetadata } from '../../../infra/constructs/lambdaEntry.ts';
import { wholeNumber } from '../../../shared/command/numbers.ts';
import { envIdOfSecret } from '../../../shared/protocol/secret.ts';
import { sumOf } from '../../../shared/statistics/sumOf.ts';
import { makeCertificate, startConnections } from '../../machine/playedConnections.ts';
import { shareOfProcessor } from '../../machine/processorShare.ts';
import { begin, benchCommand, progress, round } from '../benchmark.ts';
import { withBundles } from '../bundles/bundleFunctions.ts';
import type { CallCost } from '../functionInstance.ts';
import { withStack } from '../localStack.ts';
import { type FunctionProcess, startFunction } from '../startFunction.ts';
import { Shards } from './shards.ts';

const ENTRY = 'functions/lambda/deliver.ts';
const WHOLE_PROCESSOR_MB = 1_769;
/** Calls for one shard, after which it fails. */
const MOST_CALLS = 40;

interface Options {
  readonly connections: number;
  readonly latency: number;
  readonly unpaced?: boolean;
}

/** A call, and whether it was ended at its timeout. */
type Call = Pick<CallCost, 'wallMs' | 'cpuMs' | 'isFailed'> & { readonly isKilled: boolean };

const HELP = `
@connections is played over TLS; needs openssl. Calls are made one at a time, each shard's by an instance of its own, and when every
connection has the change is computed from them. Takes about four minutes.`;

const command = benchCommand('delivery')
  .option('--connections <n>', 'connections of the environment', wholeNumber, 100_000)
  .option('--latency <ms>', 'how long the played @connections takes for a message', wholeNumber, 12)
  .option('--unpaced', 'only as fast as processor and latency allow, without the pace of the stack')
  .addHelpText('after', HELP);
const { options, report } = begin<Options>(command);
const loadBefore = loadavg()[0] ?? Number.NaN;

await withStack(async ({ stack, templates, clientKey, folder }) => {
  const deliver = Object.values(templates)
    .flatMap(({ Resources }) => Object.values(Resources))
    .find(({ Metadata }) => Metadata?.[entryMetadata] === ENTRY);
  const { MemorySize, Timeout, Environment } = (deliver?.Properties ?? {}) as {
    readonly MemorySize: number;
    readonly Timeout: number;
    readonly Environment: { readonly Variables: { readonly POSTS_PER_SECOND: string } };
  };
  const timeoutMs = Timeout * 1_000;
  const groups = readConfig().deliverConcurrency - 1;
  const tls = makeCertificate(folder);
  const gateway = await startConnections(options.latency, tls);
  const share = shareOfProcessor(MemorySize / WHOLE_PROCESSOR_MB);
  try {
    const shards = await Shards.open(stack, envIdOfSecret(clientKey) as string);
    await shards.fill(options.connections, (registered) => progress(`${registered} connections`));
    const pace = Environment.Variables.POSTS_PER_SECOND;
    const rows = await withBundles(async (bundles) => {
      const bundle = bundles.find(({ entry }) => entry === ENTRY)?.path ?? '';
      const start = (postsPerSecond: string) => {
        const environment = {
          PATH: process.env['PATH'],
          ...stack.environment,
          CONNECTIONS_ENDPOINT: gateway.endpoint,
          NODE_EXTRA_CA_CERTS: tls.certificate,
          AWS_LAMBDA_FUNCTION_NAME: 'deliver',
          POSTS_PER_SECOND: postsPerSecond,
        };
        return startFunction(bundle, environment, typeof share === 'string' ? undefined : share);
      };
      const found: (string | number)[][] = [];
      for (const [name, postsPerSecond] of [
        [`${pace} messages a second`, pace] as const,
        ['not paced', '1e9'] as const,
      ]) {
        if (options.unpaced && postsPerSecond === pace) continue;
        const calls = await deliverToAll(shards, () => start(postsPerSecond), timeoutMs);
        const { messages, connections } = await gateway.received();
        found.push([name, connections, messages - connections, ...figuresOf(calls, messages, groups, timeoutMs)]);
      }
      return found;
    });
    const notes = [
      typeof share === 'string'
        ? `The function was not limited to its share of a processor: ${share}.`
        : `A control group limited the function to ${(MemorySize / WHOLE_PROCESSOR_MB).toFixed(2)} of a processor.`,
      `${MemorySize} MB; ${groups} of the shards are delivered to at the same time; a killed call's message is hidden for 6 × ${Timeout} s.`,
      `The load average was ${loadBefore.toFixed(2)} before it began.`,
    ];
    const head = [
      'pace of a call',
      'connections',
      'sent twice',
      'calls',
      'killed',
      'longest s',
      'processor ms a message',
    ];
    report([{ title: 'One change to all connections', head: [...head, 'all have it after s'], rows, notes }]);
  } finally {
    await gateway.close();
    if (typeof share !== 'string') share.close();
  }
});
process.exit();

/** Delivers a change to each shard, one after another. @returns the calls of each */
async function deliverToAll(
  shards: Shards,
  start: () => Promise<FunctionProcess>,
  timeoutMs: number,
): Promise<readonly (readonly Call[])[]> {
  const bodyOf = shards.nextChange();
  const all: Call[][] = [];
  for (const [shard, held] of shards.counts.entries()) {
    const id = String(shard);
    const SentTimestamp = String(Date.now());
    const calls: Call[] = [];
    let instance = await start();
    do {
      if (calls.length === MOST_CALLS) throw new Error(`shard ${shard} is not done after ${MOST_CALLS} calls`);
      if (calls.at(-1)?.isKilled) instance = await start();
      const attributes = { ApproximateReceiveCount: `${calls.length + 1}`, SentTimestamp, MessageGroupId: id };
      const event = { Records: [{ messageId: id, receiptHandle: id, attributes, body: bodyOf(shard) }] };
      calls.push(await callOnce(instance, event, timeoutMs));
    } while (calls.at(-1)?.isFailed);
    await instance.stop();
    all.push(calls);
    progress(`shard ${shard}: ${held} connections, ${calls.length} calls`);
  }
  return all;
}

/** Makes one call, and ends the instance at the timeout. */
async function callOnce(instance: FunctionProcess, event: object, timeoutMs: number): Promise<Call> {
  let isKilled = false;
  const timer = setTimeout(() => {
    isKilled = true;
    void instance.stop();
  }, timeoutMs);
  try {
    return { ...(await instance.call({ events: [event], timeoutMs })), isKilled };
  } catch (error) {
    if (!isKilled) throw error;
    return { wallMs: timeoutMs, cpuMs: Number.NaN, isFailed: true, isKilled };
  } finally {
    clearTimeout(timer);
  }
}

/** The message groups are served at the same time, and the shards of each one after another (`groupOf`). */
function figuresOf(
  shards: readonly (readonly Call[])[],
  messages: number,
  groups: number,
  timeoutMs: number,
): number[] {
  const doneAt = new Array<number>(groups).fill(0);
  for (const [shard, calls] of shards.entries()) {
    // SQS hides the message of a killed call for six times the function's timeout.
    const ms = sumOf(calls, ({ wallMs, isKilled }) => wallMs + (isKilled ? 6 * timeoutMs : 0));
    doneAt[shard % groups] = (doneAt[shard % groups] ?? 0) + ms;
  }
  const calls = shards.flat();
  return [
    calls.length,
    calls.filter(({ isKilled }) => isKilled).length,
    round(Math.max(...calls.map(({ wallMs }) => wallMs)) / 1_000),
    round(sumOf(calls, ({ cpuMs }) => cpuMs) / messages),
    round(Math.max(...doneAt) / 1_000),
  ];
}
