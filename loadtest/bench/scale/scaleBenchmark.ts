import { CONNECTION_WRITES, NOTE_PARTITIONS, SHARDS } from '../../../cost/prices/serviceFacts.ts';
import { postRates } from '../../../infra/config/postRates.ts';
import { wholeNumber } from '../../../shared/command/numbers.ts';
import { begin, benchCommand, round } from '../benchmark.ts';

/**
 * `npm run bench -- scale`: computes the limits of AWS's quotas for docs/scale.md. It starts nothing.
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
type Quotas = Record<'requests' | 'connects' | 'functions' | 'writes' | 'deliveries' | 'syncMs', number>;
const { options, report } = begin<Quotas>(command);
const { requests, connects, functions, writes, deliveries, syncMs } = options;

/** Seconds between two pings of each SDK. */
const PING_SECONDS = { 'js-client, node': 18, dotnet: 15, 'go, python, java': 10 };
/** A handshake, a data-sync, and the post of its reply (docs/decisions/0028-answers-by-post.md). */
const REQUESTS_A_CONNECTION = 3;
/** Writes of a connection before it is open, and in total. */
const WRITES_A_START = CONNECTION_WRITES.notes + CONNECTION_WRITES.states;
const WRITES_A_CONNECTION = WRITES_A_START + CONNECTION_WRITES.removal;
/** Maximum writes a second to a partition of DynamoDB. */
const WRITES_A_PARTITION = 1_000;
/** Maximum messages a second of one delivery (docs/results/serverless.md: 0.4 ms of CPU time each). */
const POSTS_A_PROCESSOR = 2_500;
/** Minimum time over which clients arrive. */
const ARRIVAL_SECONDS = 60;
/** Events in a request of an SDK, as in the cost model, and Firehose's requests a second, by region. */
const EVENTS_A_REQUEST = 10;
const FIREHOSE_REQUESTS = [2_000, 1_000] as const;

const { deliver: postsOfDelivery } = postRates({ throttlingRate: requests, deliverConcurrency: deliveries });

report([
  {
    title: 'What pings take',
    head: ['SDKs', 'ping, s', 'requests a second of 100,000', 'connections that fill the quota', 'next to deliveries'],
    rows: Object.entries(PING_SECONDS).map(([sdks, every]) => {
      const left = requests - postsOfDelivery * deliveries;
      return [sdks, every, round(100_000 / every), requests * every, left * every];
    }),
  },
  {
    title: 'Seconds until all are reached, pings every 18 s',
    head: ['connections', 'storm', 'held up by', 'push', 'pings, share of the quota'],
    rows: [1_000, 10_000, 100_000, 1_000_000].map((connections) => {
      const [limit, seconds] = storm(connections);
      const share = connections / 18 / requests;
      const [connecting, pushing] = share > 1 ? ['–', '–'] : [round(seconds), round(push(connections))];
      return [connections, connecting, limit, pushing, round(share)];
    }),
    notes: ['–: pings alone exceed the quota.'],
  },
  {
    title: 'Concurrent executions of data-syncs while connections open at the full quota',
    head: ['new connections a second', 'ms each', 'executions', 'quota'],
    rows: [[connects, syncMs, Math.ceil((connects * syncMs) / 1_000), functions]],
  },
  {
    title: 'Writes to the connections table while connections open at the full quota',
    head: ['new connections a second', 'units a second for their data-syncs', 'and as many ends', 'the table takes'],
    rows: [[connects, connects * WRITES_A_START, connects * WRITES_A_CONNECTION, writes]],
  },
  {
    title: `Requests with insight events of 100,000 connections, ${EVENTS_A_REQUEST} events each`,
    head: [
      'events an hour of each',
      'requests a second',
      'of the quota',
      'of Firehose',
      'of Firehose in other regions',
    ],
    rows: [10, 60, 600].map((hourly) => {
      const sent = (100_000 * hourly) / 3_600 / EVENTS_A_REQUEST;
      const shares = [requests, ...FIREHOSE_REQUESTS].map((quota) => `${round((100 * sent) / quota)} %`);
      return [hourly, round(sent), ...shares];
    }),
    notes: [
      'Firehose takes 2,000 requests a second for a stream in us-east-1, us-west-2 and eu-west-1, and 1,000 in other regions.',
    ],
  },
]);

/** The seconds until all have connected and have a reply, and the limiting quota. */
function storm(connections: number): [string, number] {
  // Nothing is delivered meanwhile. At the end all of them ping.
  const left = Math.max(1, requests - connections / 18);
  const bounds: [string, number][] = [
    ['their arrival', ARRIVAL_SECONDS],
    ['new connections', connections / connects],
    ['requests', (REQUESTS_A_CONNECTION * connections) / left],
    ['table writes', (WRITES_A_START * connections) / writes],
    ['partitions of notes', (CONNECTION_WRITES.notes * connections) / (NOTE_PARTITIONS * WRITES_A_PARTITION)],
    ['executions', (connections * syncMs) / 1_000 / functions],
  ];
  return bounds.reduce((worst, bound) => (bound[1] > worst[1] ? bound : worst));
}

/** The seconds until a change is posted to all connections of one environment, by all but one of the deliveries. */
function push(connections: number): number {
  const groups = Math.min(SHARDS, Math.max(1, deliveries - 1));
  const mostShards = Math.ceil(SHARDS / groups);
  return ((connections / SHARDS) * mostShards) / Math.min(postsOfDelivery, POSTS_A_PROCESSOR);
}
