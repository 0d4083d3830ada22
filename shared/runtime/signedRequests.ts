import type { IncomingMessage } from 'node:http';
import type { Effects } from './effects.ts';
import { type Credentials, createSigner, type Unsigned } from './signature.ts';
import { throughProxy } from './throughProxy.ts';

/** Requests in flight at the same time, on Node. Bun has a limit of its own, of 256. */
const SOCKETS = 256;

/** The endpoint of requests, and the credentials. */
export interface SignedTarget {
  /** The service's name in signatures. */
  readonly service: string;
  /** `https://…/<path>` */
  readonly endpoint: string;
  readonly region: string;
  /** Called for each request. */
  readonly keys: () => Promise<Credentials>;
  /** Whether the same short request is signed once a second. By default, each request is signed. */
  readonly keepsSignatures?: boolean;
  /** Connections that stay open between requests, on Node. By default, as many as were opened. */
  readonly idleSockets?: number;
  /** Timeout of a new connection in milliseconds, on Node. By default, that of a response counts for both. */
  readonly connectMs?: number | undefined;
}

/** A response. */
export interface SignedResponse {
  readonly status: number;
  /** AWS's error name, from a header; empty if there is none. */
  readonly error: string;
  readonly body: string;
}

/** A request that is signed and not sent yet. */
interface Prepared extends Pick<Unsigned, 'method' | 'headers' | 'body'> {
  readonly url: URL;
}

/**
 * Signed requests to a service of AWS over persistent connections, without repetitions. A client of the SDK takes two to five times
 * the CPU time for one ([record 23](../../docs/decisions/0023-bun.md)).
 */
export class SignedRequests {
  readonly #url: URL;
  readonly #service: SignedTarget;
  readonly #sign: ReturnType<typeof createSigner>;
  readonly #effects: Pick<Effects, 'now' | 'onSilence'>;
  readonly #timeoutMs: number;
  readonly #transport: Transport;
  /** The URL of the last request. Most have the same. */
  #last: { readonly path: string; readonly url: URL } | undefined;

  /** @param timeoutMs timeout of a response from the time a request gets a connection, including connecting */
  constructor(service: SignedTarget, timeoutMs: number, effects: Pick<Effects, 'now' | 'onSilence'>) {
    this.#url = new URL(service.endpoint);
    this.#service = service;
    this.#sign = createSigner(service.region, service.service, service.keepsSignatures);
    this.#effects = effects;
    this.#timeoutMs = timeoutMs;
    // The faster one of each runtime.
    this.#transport = process.versions['bun'] === undefined ? nodeTransport(service) : viaFetch;
  }

  /**
   * Sends a request.
   *
   * @param path path below the endpoint, URL-encoded
   * @param headers by names in small letters
   * @param clockOffsetMs what AWS's clock is ahead of this machine's
   * @throws if there is no response
   */
  async send(
    path: string,
    body: string,
    headers: Readonly<Record<string, string>>,
    clockOffsetMs = 0,
    method: Prepared['method'] = 'POST',
  ): Promise<SignedResponse> {
    const { host, pathname } = this.#url;
    if (this.#last?.path !== path) this.#last = { path, url: new URL(pathname.replace(/\/$/, '') + path, this.#url) };
    const { url } = this.#last;
    const signed = this.#sign(
      { method, path: url.pathname, headers: { ...headers, host }, body, at: this.#effects.now() + clockOffsetMs },
      await this.#service.keys(),
    );
    const { onSilence } = this.#effects;
    return this.#transport({ method, url, headers: signed, body }, (giveUp) =>
      onSilence(this.#timeoutMs, () => giveUp(new Error(`${host} did not answer within ${this.#timeoutMs} ms`))),
    );
  }
}

/** Sends a request. @param limit starts the timeout, which calls a function; it returns how to end the timeout */
type Transport = (request: Prepared, limit: (giveUp: (error: Error) => void) => () => void) => Promise<SignedResponse>;

/**
 * Node's `fetch` takes twice the CPU time of `node:http`. An import of `node:http` would load `fetch` too, for 24 ms of CPU time at
 * the start.
 */
function nodeTransport({ endpoint, idleSockets = SOCKETS, connectMs }: SignedTarget): Transport {
  const isTls = endpoint.startsWith('https:');
  const { httpAgent, httpsAgent } = throughProxy<{ httpAgent?: object; httpsAgent?: object }>();
  const { Agent, request } = isTls ? process.getBuiltinModule('node:https') : process.getBuiltinModule('node:http');
  const sockets = { keepAlive: true, maxSockets: SOCKETS, maxFreeSockets: idleSockets };
  const agent = new Agent({ ...sockets, ...(isTls ? httpsAgent : httpAgent) });
  return ({ method, url, headers, body }, limit) =>
    new Promise((resolve, reject) => {
      const length = String(Buffer.byteLength(body));
      const sent = request(url, { method, headers: { ...headers, 'content-length': length }, agent }, (response) =>
        textOf(response).then((answer) => resolve(answerOf(response, answer)), reject),
      );
      sent.on('error', reject);
      // If the response is not read, a post is retried, and the connection gets the message twice.
      const begin = () => {
        const end = limit((error) => {
          // Before there is a socket, `destroy` reports nothing.
          reject(error);
          sent.destroy(error);
        });
        sent.on('close', end);
      };
      sent.on('socket', (socket) => {
        if (connectMs === undefined || !socket.connecting) return;
        const late = () => sent.destroy(new Error(`${url.host} accepted no connection within ${connectMs} ms`));
        const timer = setTimeout(late, connectMs);
        socket.once('connect', () => clearTimeout(timer));
        socket.once('close', () => clearTimeout(timer));
      });
      // Through a proxy, there is a socket only when the tunnel is open.
      if (isTls && httpsAgent) begin();
      else sent.on('socket', begin);
      sent.end(body);
    });
}

async function viaFetch(
  { method, url, headers, body }: Prepared,
  limit: Parameters<Transport>[1],
): Promise<SignedResponse> {
  const stop = new AbortController();
  const end = limit((error) => stop.abort(error));
  try {
    const response = await fetch(url, { method, headers, body, signal: stop.signal, redirect: 'manual' });
    const error = errorName(response.headers.get('x-amzn-errortype'));
    return { status: response.status, error, body: await response.text() };
  } finally {
    end();
  }
}

async function textOf(response: IncomingMessage): Promise<string> {
  response.setEncoding('utf8');
  let text = '';
  for await (const part of response) text += part;
  return text;
}

function answerOf({ statusCode: status = 0, headers }: IncomingMessage, body: string): SignedResponse {
  return { status, error: errorName(headers['x-amzn-errortype']), body };
}

/** AWS's name of an error, without the URL that some services append. */
function errorName(header: unknown): string {
  return String(header ?? '').split(':')[0] ?? '';
}
