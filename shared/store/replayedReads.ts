import type { DynamoDBClient, GetItemCommandInput } from '@aws-sdk/client-dynamodb';
import { KeptConnections, type Origin } from './keptConnections.ts';
import { isVersionKey } from './keys.ts';

/** How long a signed request is used again: AWS takes it for five minutes, by its clock and ours. */
const SIGNED_FOR_MS = 60_000;

/** A replay that takes longer is given up, and the SDK asked, which has its own timeouts. */
const REPLAY_TIMEOUT_MS = 1_000;

/** Signed requests kept: the versions of as many environments as are kept compiled, and more. */
const CAPACITY = 1_000;

/** A request as the SDK signed it. */
interface SignedRequest {
  readonly protocol: string;
  readonly hostname: string;
  readonly port?: number;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

/** One that can be sent again. */
interface Replay {
  readonly bytes: Uint8Array;
  readonly to: KeptConnections;
  /** By a clock that never jumps. */
  readonly until: number;
}

/** What the SDK hands from step to step of a request. */
interface Step {
  readonly input: object;
  readonly request?: unknown;
}
type NextStep = (args: Step) => Promise<unknown>;

/**
 * Lets a client send its reads of versions again as they were signed before: they are the same bytes each time, and the
 * host makes hundreds a second. Building, signing and parsing one takes the SDK seven times as long as sending it
 * (record 14). Whatever does not go well is left to the SDK, with its retries.
 */
export function replayVersionReads(client: DynamoDBClient): void {
  const signed = new Map<string, Replay>();
  /** The one that is asked; another only where the client turns to another. */
  let server: { readonly name: string; readonly to: KeptConnections } | undefined;
  const signing = new WeakMap<object, string>();

  client.middlewareStack.add(
    (next) => async (args) => {
      const input = args.input as GetItemCommandInput;
      if (!input.Key || !input.ConsistentRead || !isVersionKey(input.Key as Parameters<typeof isVersionKey>[0]))
        return next(args);
      const name = `${input.TableName} ${input.Key['pk']?.S}`;
      const known = signed.get(name);
      if (known && known.until > performance.now()) {
        const output = await known.to
          .send(known.bytes)
          .then((text) => ({ ...JSON.parse(text), $metadata: { httpStatusCode: 200 } }))
          .catch(() => undefined);
        if (output) return { output, response: {} };
      }
      signing.set(input, name);
      return next(args);
    },
    { step: 'initialize', name: 'replayVersionReads', priority: 'high' },
  );
  const keepSigned = (next: NextStep) => async (args: Step) => {
    const name = signing.get(args.input);
    if (name !== undefined) {
      if (signed.size >= CAPACITY) signed.clear();
      const request = args.request as SignedRequest;
      const origin = originOf(request);
      const authority = `${origin.protocol}//${origin.hostname}:${origin.port}`;
      if (server?.name !== authority) server = { name: authority, to: new KeptConnections(origin, REPLAY_TIMEOUT_MS) };
      signed.set(name, { bytes: bytesOf(request), to: server.to, until: performance.now() + SIGNED_FOR_MS });
    }
    return next(args);
  };
  client.middlewareStack.addRelativeTo(keepSigned as Parameters<typeof client.middlewareStack.addRelativeTo>[0], {
    relation: 'after',
    toMiddleware: 'httpSigningMiddleware',
    name: 'keepSignedVersionReads',
  });
}

function originOf({ protocol, hostname, port }: SignedRequest): Origin {
  return { protocol, hostname, port: port ?? (protocol === 'https:' ? 443 : 80) };
}

function bytesOf({ path, headers, body }: SignedRequest): Uint8Array {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n`;
  return Buffer.concat([Buffer.from(head), typeof body === 'string' ? Buffer.from(body) : body]);
}
