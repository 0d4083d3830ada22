import { CONNECTION_WRITES, NOTE_PARTITIONS, SHARDS } from '../../../cost/prices/serviceFacts.ts';
import { postRates } from '../../../infra/config/postRates.ts';
import { wholeNumber } from '../../../shared/command/numbers.ts';
import { begin, benchCommand, type Result, round } from '../benchmark.ts';

/**
 * `npm run bench -- scale`: what AWS's quotas allow, computed for docs/scale.md. It starts nothing.
 *
 * Sources: https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html,
 * https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html,
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ServiceQuotas.html and
 * https://docs.aws.amazon.com/firehose/latest/dev/limits.html for the quotas; the SDKs' sources for their pings;
 * docs/results/functions.json for the time of a call.
 */
const command = benchCommand('scale')
  .option('--requests <n>', "API Gateway's quota of requests a second", wholeNumber, 10_000)
  .option('--connects <n>', "API Gateway's quota of new connections a second", wholeNumber, 500)
  .option('--functions <n>', "Lambda's quota of concurrent executions", wholeNumber, 1_000)
  .option('--writes <n>', 'write capacity of the connections table, in units a second', wholeNumber, 4_000)
  .option('--deliveries <n>', 'parallel calls of the deliver function (setting deliverConcurrency)', wholeNumber, 4)
  .option(
    '--sync-ms <n>',
    'duration of a data-sync in the sync function, including table requests and the post of the reply',
    wholeNumber,
    42,
  );
const { options, report } = begin<{
  requests: number;
  connects: number;
  functions: number;
  writes: number;
  deliveries: number;
  syncMs: number;
}>(command);

/** Seconds between two pings of each SDK. */
const PING_SECONDS = { 'js-client, node': 18, dotnet: 15, 'go, python, java': 10 };
/** A handshake, a data-sync, and the post of its answer (docs/decisions/0028-answers-by-post.md). */
const REQUESTS_A_CONNECTION = 3;
/** Its writes before it is open, and all. */
const WRITES_A_START = CONNECTION_WRITES.notes + CONNECTION_WRITES.states;
const WRITES_A_CONNECTION = WRITES_A_START + CONNECTION_WRITES.removal;
/** Writes a second that a partition of DynamoDB takes. */
const WRITES_A_PARTITION = 1_000;
/** Messages a second for which one delivery's processor suffices (docs/results/serverless.md: 0.4 ms each). */
const POSTS_A_PROCESSOR = 2_500;
/** Clients come within a minute at the soonest. */
const ARRIVAL_SECONDS = 60;
/** Events that an SDK sends in one request, as in the cost model, and Firehose's requests a second, by region. */
const EVENTS_A_REQUEST = 10;
const FIREHOSE_REQUESTS = [2_000, 1_000] as const;

const { deliver: postsOfDelivery } = postRates({
  throttlingRate: options.requests,
  deliverConcurrency: options.deliveries,
});

const pings: Result = {
  title: 'What pings take',
  head: ['SDKs', 'ping, s', 'requests a second of 100,000', 'connections that fill the quota', 'next to deliveries'],
  rows: Object.entries(PING_SECONDS).map(([sdks, every]) => [
    sdks,
    every,
    round(100_000 / every),
    options.requests * every,
    (options.requests - postsOfDelivery * options.deliveries) * every,
  ]),
};

const reach: Result = {
  title: 'Seconds until all are reached, pings every 18 s',
  head: ['connections', 'storm', 'held up by', 'push', 'pings, share of the quota'],
  rows: [1_000, 10_000, 100_000, 1_000_000].map((connections) => {
    const [held, seconds] = storm(connections);
    const share = connections / 18 / options.requests;
    return [
      connections,
      share > 1 ? '–' : round(seconds),
      held,
      share > 1 ? '–' : round(push(connections)),
      round(share),
    ];
  }),
  notes: ['–: pings alone exceed the quota.'],
};

const concurrency = Math.ceil((options.connects * options.syncMs) / 1_000);
const functions: Result = {
  title: 'Concurrent executions of data-syncs while connections open at the full quota',
  head: ['new connections a second', 'ms each', 'executions', 'quota'],
  rows: [[options.connects, options.syncMs, concurrency, options.functions]],
};

const writes: Result = {
  title: 'Writes to the connections table while connections open at the full quota',
  head: ['new connections a second', 'units a second for their data-syncs', 'and as many ends', 'the table takes'],
  rows: [[options.connects, options.connects * WRITES_A_START, options.connects * WRITES_A_CONNECTION, options.writes]],
};

const insights: Result = {
  title: `Requests with insight events of 100,000 connections, ${EVENTS_A_REQUEST} events each`,
  head: ['events an hour of each', 'requests a second', 'of the quota', 'of Firehose', 'of Firehose in other regions'],
  rows: [10, 60, 600].map((hourly) => {
    const requests = (100_000 * hourly) / 3_600 / EVENTS_A_REQUEST;
    const shares = [options.requests, ...FIREHOSE_REQUESTS].map((quota) => `${round((100 * requests) / quota)} %`);
    return [hourly, round(requests), ...shares];
  }),
  notes: [
    'Firehose takes 2,000 requests a second for a stream in us-east-1, us-west-2 and eu-west-1, and 1,000 in other regions.',
  ],
};

report([pings, reach, functions, writes, insights]);

/** How long it takes until all have connected and are answered, and which quota decides. */
function storm(connections: number): [string, number] {
  // Nothing is delivered meanwhile; at the end all of them ping.
  const left = Math.max(1, options.requests - connections / 18);
  const bounds: [string, number][] = [
    ['their arrival', ARRIVAL_SECONDS],
    ['new connections', connections / options.connects],
    ['requests', (REQUESTS_A_CONNECTION * connections) / left],
    ['table writes', (WRITES_A_START * connections) / options.writes],
    ['partitions of notes', (CONNECTION_WRITES.notes * connections) / (NOTE_PARTITIONS * WRITES_A_PARTITION)],
    ['executions', (connections * options.syncMs) / 1_000 / options.functions],
  ];
  return bounds.reduce((worst, bound) => (bound[1] > worst[1] ? bound : worst));
}

/** How long it takes until a change has been posted to all connections of one environment, by all but one of the deliveries. */
function push(connections: number): number {
  const groups = Math.min(SHARDS, Math.max(1, options.deliveries - 1));
  const mostShards = Math.ceil(SHARDS / groups);
  return ((connections / SHARDS) * mostShards) / Math.min(postsOfDelivery, POSTS_A_PROCESSOR);
}
