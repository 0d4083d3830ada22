import { performance } from 'node:perf_hooks';
import { text } from 'node:stream/consumers';
import { encodeToken } from '../../../shared/protocol/token.ts';

/** What one process is to measure: a function's bundle, and what it is called with. */
export interface Order {
  /** The bundle's path. */
  readonly path: string;
  /** One of {@link events}. */
  readonly event: keyof typeof events;
  readonly calls: number;
  readonly clientKey: string;
  readonly envId: string;
  /** A flag's stream image; for what handles changes. */
  readonly image: Readonly<Record<string, { readonly S?: string; readonly N?: string }>>;
  /** The shard whose connections a change goes to. */
  readonly shard: number;
}

/** What it found, for one call on average. */
export interface Measured {
  /** Processor time of the process, in milliseconds. */
  readonly cpuMs: number;
  readonly wallMs: number;
  readonly logBytes: number;
  /** Bytes of the message it answers with, if it does: by the route's response, or by a post. */
  readonly answerBytes?: number;
}

/** Calls before those that count: what runs first is not yet compiled. */
const WARM_UP = 300;

const user = { keyId: 'user-1', name: 'User 1', customizedProperties: [{ name: 'country', value: 'FR' }] };

/** What API Gateway, the table's stream and the queue hand to each function. */
const events = {
  connect: ({ clientKey }: Order, n: number) => ({
    methodArn: 'arn:aws:execute-api:us-east-1:000000000000:local/streaming/$connect',
    requestContext: { connectionId: `bench-${process.pid}-${n}`, connectedAt: Date.now() },
    queryStringParameters: { type: 'client', token: encodeToken(clientKey, Date.now(), 7), version: '2' },
  }),
  sync: (order: Order, n: number) => message(order, n, { messageType: 'data-sync', data: { timestamp: 0, user } }),
  heal: () => ({ source: 'aws.events' }),
  default: (order: Order, n: number) => message(order, n, { messageType: 'echo', data: {} }),
  disconnect: (order: Order, n: number) => message(order, n, undefined),
  http: ({ clientKey }: Order) => ({
    version: '2.0',
    rawPath: '/api/public/insight/track',
    rawQueryString: '',
    headers: { authorization: clientKey, 'content-type': 'application/json' },
    requestContext: {
      http: { method: 'POST', path: '/api/public/insight/track', sourceIp: '127.0.0.1' },
      domainName: 'localhost',
    },
    // As FeatBit's SDKs send them: an element for each event.
    body: JSON.stringify(Array.from({ length: 10 }, () => ({ user, variations: [variation()], metrics: [] }))),
    isBase64Encoded: false,
  }),
  publish: ({ image }: Order, n: number) => ({
    Records: [{ dynamodb: { NewImage: image, SequenceNumber: String(n) } }],
  }),
  deliver: ({ image, shard, envId }: Order, n: number) => ({
    Records: [
      {
        messageId: String(n),
        receiptHandle: String(n),
        attributes: { ApproximateReceiveCount: '1' },
        body: JSON.stringify({ shard, changes: [change(image, envId, n)] }),
      },
    ],
  }),
} as const;

const order = JSON.parse(await text(process.stdin)) as Order;
const startedAt = Date.now();
let logBytes = 0;
const write = process.stdout.write.bind(process.stdout);
process.stdout.write = ((chunk: string | Uint8Array) => {
  logBytes += Buffer.byteLength(chunk);
  return true;
}) as typeof process.stdout.write;

const { handler } = await import(order.path);
const context = { getRemainingTimeInMillis: () => 60_000, functionName: 'bench', awsRequestId: 'bench' };
let n = 0;
const call = (): Promise<{ body?: string } | undefined> => handler(events[order.event](order, n++), context);
let answerBytes: number | undefined;
for (let warm = 0; warm < WARM_UP && warm < order.calls; warm++) {
  const body = (await call())?.body;
  if (body) answerBytes = Buffer.byteLength(body);
}
logBytes = 0;
const before = { cpu: process.cpuUsage(), at: performance.now() };
for (let made = 0; made < order.calls; made++) await call();
const { user: inUser, system } = process.cpuUsage(before.cpu);
const found: Measured = {
  cpuMs: (inUser + system) / 1_000 / order.calls,
  wallMs: (performance.now() - before.at) / order.calls,
  logBytes: logBytes / order.calls,
  ...(answerBytes === undefined ? {} : { answerBytes }),
};
write(JSON.stringify(found));
process.exit();

function message({ envId }: Order, n: number, body: object | undefined) {
  return {
    ...(body ? { body: JSON.stringify(body) } : {}),
    requestContext: {
      // Ids of sockets are made anew for each.
      connectionId: `bench-${process.pid}-${n}`,
      routeKey: 'data-sync',
      requestTimeEpoch: Date.now(),
      connectedAt: Date.now() - 60_000,
      authorizer: { envId, type: 'client' },
    },
  };
}

/** A change of now, later than all before it, so that it is delivered; what it changes is always the same flag. */
function change(image: Order['image'], envId: string, n: number) {
  const updatedAt = startedAt + n;
  const id = image['sk']?.S?.split('#')[1] ?? '';
  const body = { text: image['doc']?.S ?? '' };
  return { kind: 'flag', envId, id, updatedAt, previous: updatedAt - 1, writtenAt: updatedAt, body };
}

function variation() {
  return {
    featureFlagKey: 'returns-true',
    sendToExperiment: false,
    timestamp: Date.now(),
    variation: { id: 'a', value: 'true', reason: 'fall through targets and rules' },
  };
}
