import { DELIVERIES_AT_ONCE, POSTS_PER_SECOND_A_CALL } from '../../../cost/prices/serviceFacts.ts';
import { wholeNumber } from '../../../shared/command/numbers.ts';
import { begin, benchCommand, type Result, round } from '../benchmark.ts';

/**
 * `npm run bench -- scale`: what AWS's quotas allow, computed for docs/scale.md. It starts nothing.
 *
 * Sources: https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html and
 * https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html for the quotas; the SDKs' sources for their pings;
 * docs/results/functions.json for the time of a call.
 */
const command = benchCommand('scale')
  .option('--requests <n>', "API Gateway's quota of requests a second", wholeNumber, 10_000)
  .option('--connects <n>', "API Gateway's quota of new connections a second", wholeNumber, 500)
  .option('--functions <n>', "Lambda's quota of concurrent executions", wholeNumber, 1_000)
  .option('--sync-ms <n>', 'time of a data-sync in its function: processor, table and post', wholeNumber, 42);
const { options, report } = begin<{ requests: number; connects: number; functions: number; syncMs: number }>(command);

/** Seconds between two pings of each SDK. */
const PING_SECONDS = { 'js-client, node': 18, dotnet: 15, 'go, python, java': 10 };
/** A handshake, a data-sync, and the post of its answer (docs/decisions/0028-answers-by-post.md). */
const REQUESTS_A_CONNECTION = 3;
/** Deliveries are paced to so much of the requests; pings, data-syncs and HTTP have the rest. */
const DELIVERY_SHARE = 2 / 5;
/** Clients come within a minute at the soonest. */
const ARRIVAL_SECONDS = 60;

const pings: Result = {
  title: 'What pings take',
  head: ['SDKs', 'ping, s', 'requests a second of 100,000', 'connections that fill the quota', 'beside deliveries'],
  rows: Object.entries(PING_SECONDS).map(([sdks, every]) => [
    sdks,
    every,
    round(100_000 / every),
    options.requests * every,
    options.requests * (1 - DELIVERY_SHARE) * every,
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

report([pings, reach, functions]);

/** How long it takes until all have connected and are answered, and which quota decides. */
function storm(connections: number): [string, number] {
  // Nothing is delivered meanwhile; at the end all of them ping.
  const left = Math.max(1, options.requests - connections / 18);
  const bounds: [string, number][] = [
    ['their arrival', ARRIVAL_SECONDS],
    ['new connections', connections / options.connects],
    ['requests', (REQUESTS_A_CONNECTION * connections) / left],
    ['executions', (connections * options.syncMs) / 1_000 / options.functions],
  ];
  return bounds.reduce((worst, bound) => (bound[1] > worst[1] ? bound : worst));
}

/** How long it takes until a change has been posted to all connections of one environment. */
function push(connections: number): number {
  const paced = options.requests * DELIVERY_SHARE;
  return connections / Math.min(paced, (DELIVERIES_AT_ONCE * POSTS_PER_SECOND_A_CALL * options.requests) / 10_000);
}
