import { encodeToken } from '../../../shared/protocol/token.ts';

/** The subject of all events. */
export interface Subject {
  readonly clientKey: string;
  readonly envId: string;
  /** A flag's stream image. */
  readonly image: Readonly<Record<string, { readonly S?: string; readonly N?: string }>>;
  /** The shard of the connections that receive a change. */
  readonly shard: number;
  /** Start of the process in unix milliseconds. It makes ids unique. */
  readonly startedAt: number;
}

const user = { keyId: 'user-1', name: 'User 1', customizedProperties: [{ name: 'country', value: 'FR' }] };
const variation = { id: 'a', value: 'true', reason: 'fall through targets and rules' };

/** The events of API Gateway, the table's stream and the queue for each function. `n` counts the calls of a process. */
export const EVENTS: Readonly<Record<string, (subject: Subject, n: number) => object>> = {
  connect: ({ clientKey, startedAt }, n) => ({
    methodArn: 'arn:aws:execute-api:us-east-1:000000000000:local/streaming/$connect',
    requestContext: { connectionId: `bench-${startedAt}-${n}`, connectedAt: Date.now() },
    queryStringParameters: { type: 'client', token: encodeToken(clientKey, Date.now(), 7), version: '2' },
  }),
  sync: (subject, n) => message(subject, n, { messageType: 'data-sync', data: { timestamp: 0, user } }),
  heal: () => ({ source: 'aws.events' }),
  default: (subject, n) => message(subject, n, { messageType: 'echo', data: {} }),
  disconnect: (subject, n) => message(subject, n),
  http: ({ clientKey }) => ({
    version: '2.0',
    rawPath: '/api/public/insight/track',
    rawQueryString: '',
    headers: { authorization: clientKey, 'content-type': 'application/json' },
    requestContext: {
      http: { method: 'POST', path: '/api/public/insight/track', sourceIp: '127.0.0.1' },
      domainName: 'localhost',
    },
    // Like FeatBit's SDKs, one element for each event.
    body: JSON.stringify(Array.from({ length: 10 }, () => ({ user, variations: [evaluation()], metrics: [] }))),
    isBase64Encoded: false,
  }),
  publish: ({ image }, n) => ({ Records: [{ dynamodb: { NewImage: image, SequenceNumber: String(n) } }] }),
  deliver: (subject, n) => ({
    Records: [
      {
        messageId: String(n),
        receiptHandle: String(n),
        attributes: { ApproximateReceiveCount: '1' },
        body: JSON.stringify({ shard: subject.shard, changes: [change(subject, n)] }),
      },
    ],
  }),
};

function message({ envId, startedAt }: Subject, n: number, body?: object): object {
  return {
    ...(body && { body: JSON.stringify(body) }),
    requestContext: {
      connectionId: `bench-${startedAt}-${n}`,
      routeKey: 'data-sync',
      requestTimeEpoch: Date.now(),
      connectedAt: Date.now() - 60_000,
      authorizer: { envId, type: 'client' },
    },
  };
}

/** A change of the same flag, with a later version than all before, so that it is delivered. */
function change({ image, envId, startedAt }: Subject, n: number): object {
  const updatedAt = startedAt + n;
  const id = image['sk']?.S?.split('#')[1] ?? '';
  const body = { text: image['doc']?.S ?? '' };
  return { kind: 'flag', envId, id, updatedAt, previous: updatedAt - 1, writtenAt: updatedAt, body };
}

function evaluation(): object {
  return { featureFlagKey: 'returns-true', sendToExperiment: false, timestamp: Date.now(), variation };
}
