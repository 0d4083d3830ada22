import { type IncomingMessage, Agent as PlainAgent, request as plainRequest } from 'node:http';
import { Agent as TlsAgent, request as tlsRequest } from 'node:https';
import type { DynamoDBClient, GetItemCommandInput } from '@aws-sdk/client-dynamodb';
import { isVersionKey } from './keys.ts';

/** How long a signed request is used again: AWS takes it for five minutes, by its clock and ours. */
const SIGNED_FOR_MS = 60_000;

/** A replay that takes longer is given up, and the SDK asked, which has its own patience. */
const PATIENCE_MS = 1_000;

/** Signed requests kept: the versions of as many environments as are kept compiled, and more. */
const CAPACITY = 1_000;

/** A request as the SDK signed it. */
interface SignedRequest {
  readonly protocol: string;
  readonly hostname: string;
  readonly port?: number;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What the SDK hands from step to step of a request. */
interface Step {
  readonly input: object;
  readonly request?: unknown;
}
type Next = (args: Step) => Promise<unknown>;

/**
 * Lets a client send its reads of versions again as they were signed before: they are the same bytes each time, and the
 * host makes hundreds a second. Building, signing and parsing one takes the SDK seven times as long as sending it
 * (record 14). Whatever does not go well is left to the SDK, with its retries.
 */
export function replayVersionReads(client: DynamoDBClient): void {
  const signed = new Map<string, { readonly request: SignedRequest; readonly until: number }>();
  const post = 'bun' in process.versions ? postByFetch : createPostByHttp();
  const signing = new WeakMap<object, string>();

  client.middlewareStack.add(
    (next) => async (args) => {
      const input = args.input as GetItemCommandInput;
      if (!input.Key || !input.ConsistentRead || !isVersionKey(input.Key as Parameters<typeof isVersionKey>[0]))
        return next(args);
      const name = `${input.TableName} ${input.Key['pk']?.S}`;
      const known = signed.get(name);
      if (known && known.until > performance.now()) {
        const output = await post(known.request)
          .then((text) => text && { ...JSON.parse(text), $metadata: { httpStatusCode: 200 } })
          .catch(() => undefined);
        if (output) return { output, response: {} };
      }
      signing.set(input, name);
      return next(args);
    },
    { step: 'initialize', name: 'replayVersionReads', priority: 'high' },
  );
  const keepSigned = (next: Next) => async (args: Step) => {
    const name = signing.get(args.input);
    if (name !== undefined) {
      if (signed.size >= CAPACITY) signed.clear();
      signed.set(name, { request: args.request as SignedRequest, until: performance.now() + SIGNED_FOR_MS });
    }
    return next(args);
  };
  client.middlewareStack.addRelativeTo(keepSigned as Parameters<typeof client.middlewareStack.addRelativeTo>[0], {
    relation: 'after',
    toMiddleware: 'httpSigningMiddleware',
    name: 'keepSignedVersionReads',
  });
}

/** Sends a request. @returns the answer's body; undefined when it says that something went wrong @throws when there is none */
type Post = (request: SignedRequest) => Promise<string | undefined>;

/** On Bun, where `node:http` takes more than twice the processor's time of this. */
async function postByFetch({
  protocol,
  hostname,
  port,
  path,
  headers,
  body,
}: SignedRequest): Promise<string | undefined> {
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), PATIENCE_MS);
  try {
    const url = `${protocol}//${hostname}${port === undefined ? '' : `:${port}`}${path}`;
    const response = await fetch(url, { method: 'POST', headers, body, signal: abort.signal });
    const text = await response.text();
    return response.status === 200 ? text : undefined;
  } finally {
    clearTimeout(timer);
  }
}

/** On Node, where `fetch` takes more than twice the processor's time of this. */
function createPostByHttp(): Post {
  const options = { keepAlive: true, timeout: PATIENCE_MS };
  const agents = { plain: new PlainAgent(options), tls: new TlsAgent(options) };
  return ({ protocol, hostname, port, path, headers, body }) =>
    new Promise((resolve, reject) => {
      const request = { hostname, path, headers, method: 'POST', ...(port === undefined ? {} : { port }) };
      const onResponse = (response: IncomingMessage) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk) => {
          text += chunk;
        });
        response.on('error', reject);
        response.on('end', () => resolve(response.statusCode === 200 ? text : undefined));
      };
      const sent =
        protocol === 'https:'
          ? tlsRequest({ ...request, agent: agents.tls }, onResponse)
          : plainRequest({ ...request, agent: agents.plain }, onResponse);
      sent.on('timeout', () => sent.destroy(new Error('no answer in time')));
      sent.on('error', reject);
      sent.end(body);
    });
}
