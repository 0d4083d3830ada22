import { type IncomingHttpHeaders, type IncomingMessage, request, type Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Duplex, pipeline } from 'node:stream';
import { HostNames } from '../hostNames.ts';
import { LOOPBACK, listen } from '../listen.ts';
import { checkSecurityGroups } from '../template/securityGroups.ts';
import type { Templates } from '../template/template.ts';
import { type DistributionConfig, findOrigins, type Origin, readDistribution } from './definition.ts';
import { selectOrigin } from './viewerFunction.ts';

/** CloudFront's quota for a WebSocket without data, in milliseconds. */
const IDLE_MS = 600_000;

/** Headers that apply to one connection. CloudFront replaces `Host` by the name of the origin. */
const OWN_HEADERS = ['host', 'connection', 'upgrade', 'keep-alive', 'te', 'transfer-encoding', 'expect'];

/** The answer of an origin, or the status that counts instead. After an upgrade it has the socket and its first bytes. */
interface Answer {
  readonly status: number;
  readonly response?: IncomingMessage;
  readonly socket?: Socket;
  readonly head?: Buffer;
}

/** Options of a distribution. */
interface DistributionOptions {
  readonly templates: Templates;
  /** The base URL of each origin, by its id. */
  readonly addresses: Readonly<Record<string, string>>;
  readonly port?: number;
  /** The contents of the key-value store. */
  readonly store?: ReadonlyMap<string, string>;
  /** Open connections, above which further ones are closed. CloudFront has no such limit. */
  readonly maxViewers?: number;
  /** Whether handshakes fail over like requests, by default. */
  readonly hasFailoverOfSockets?: boolean;
  /** How long a WebSocket may stay half closed, in milliseconds. */
  readonly halfClosedMs?: number;
}

/**
 * Serves the distribution of the templates on this machine, over HTTP and without a cache. It remembers nothing between requests.
 *
 * In an origin group, a refused connection counts as 503, and a response that does not come as 504. AWS documents this for requests. That
 * it applies to WebSocket handshakes is our assumption (docs/unverified.md).
 *
 * @throws Error if the port is not available, if the templates do not have one distribution, or for what EC2 refuses
 */
export async function startDistribution(options: DistributionOptions) {
  checkSecurityGroups(options.templates);
  const config = readDistribution(options.templates);
  const listening = await listen(options.port ?? 0, LOOPBACK);
  /** Both ends of open WebSockets. The server no longer knows them. */
  const sockets = new Set<Socket>();
  listening.open((server) => serve(server, config, options, sockets));
  return {
    httpUrl: `http://${listening.authority}`,
    streamingUrl: `ws://${listening.authority}`,
    async close(): Promise<void> {
      for (const socket of sockets) socket.destroy();
      await listening.stop(0);
    },
  };
}

function serve(server: Server, config: DistributionConfig, options: DistributionOptions, sockets: Set<Socket>): void {
  const {
    addresses,
    store = new Map(),
    maxViewers = 10_000,
    halfClosedMs = 5_000,
    hasFailoverOfSockets = true,
  } = options;
  const hostNames = new HostNames();
  server.maxConnections = maxViewers;

  async function answer(viewer: IncomingMessage, end: Duplex | ServerResponse): Promise<Answer> {
    const left = new AbortController();
    for (const event of ['end', 'close']) end.once(event, () => left.abort());
    const { method = '', url = '/' } = viewer;
    const [uri = ''] = url.split('?', 1);
    const { methods, code, failoverStatuses, ...behavior } = findOrigins(config, uri);
    if (!hostNames.include(viewer.headers.host) || !methods.includes(method)) return { status: 403 };
    let origins: readonly Origin[] = behavior.origins;
    try {
      const selected = code && (await selectOrigin(code, { method, uri }, store));
      if (selected) origins = config.Origins.filter(({ Id }) => Id === selected);
    } catch {
      return { status: 503 };
    }
    let found: Answer = { status: 502 };
    for (const origin of origins) {
      found.response?.destroy();
      found = await ask(origin, addresses[origin.Id] ?? '', viewer, end instanceof Duplex, left.signal);
      const isFinal = end instanceof Duplex && !hasFailoverOfSockets;
      if (isFinal || !failoverStatuses.includes(found.status) || left.signal.aborted) break;
    }
    return found;
  }

  server.on('request', async (viewer, response) => pass(await answer(viewer, response), response));
  server.on('upgrade', async (viewer, duplex, head) => {
    const viewerSocket = duplex as Socket;
    // Begins to read, so that the end of the viewer is noticed.
    viewerSocket.read(0);
    const found = await answer(viewer, viewerSocket);
    const { socket, response } = found;
    if (!socket) {
      const refusal = new ServerResponse(viewer);
      refusal.shouldKeepAlive = false;
      refusal.assignSocket(viewerSocket);
      refusal.once('finish', () => viewerSocket.destroySoon());
      return pass(found, refusal);
    }
    const headers = Object.entries(response?.headers ?? {}).map(([name, value]) => `${name}: ${value}\r\n`);
    viewerSocket.write(`HTTP/1.1 101 Switching Protocols\r\n${headers.join('')}\r\n`);
    viewerSocket.write(found.head ?? '');
    socket.write(head);
    for (const [from, to] of [
      [viewerSocket, socket],
      [socket, viewerSocket],
    ] as const) {
      sockets.add(from);
      from.removeAllListeners('timeout').setTimeout(IDLE_MS, () => from.destroy());
      from.on('error', () => from.destroy());
      from.once('end', () => setTimeout(() => to.destroy(), halfClosedMs).unref());
      from.once('close', () => {
        sockets.delete(from);
        to.destroySoon();
      });
      from.pipe(to);
    }
  });
}

/** Sends a request to an origin. It never rejects. */
function ask(origin: Origin, address: string, viewer: IncomingMessage, isUpgrade: boolean, signal: AbortSignal) {
  const { ConnectionTimeout = 10, VpcOriginConfig, OriginCustomHeaders = [] } = origin;
  const { host, hostname, port } = new URL(address);
  const added = OriginCustomHeaders.map(({ HeaderName, HeaderValue }) => [HeaderName.toLowerCase(), HeaderValue]);
  const upgrade = isUpgrade && { connection: 'Upgrade', upgrade: 'websocket' };
  const headers = { ...endToEnd(viewer.headers), ...Object.fromEntries(added), ...upgrade, host };
  const { method, url: path } = viewer;
  return new Promise<Answer>((resolve) => {
    const out = request({ hostname, port, method, path, headers, agent: false, signal });
    let failure = 503;
    out.once('socket', (socket) => {
      socket.setTimeout(ConnectionTimeout * 1_000).on('timeout', () => {
        if (failure === 502) failure = 504;
        out.destroy();
      });
      socket.once('connect', () => {
        failure = 502;
        socket.setTimeout((VpcOriginConfig?.OriginReadTimeout ?? 30) * 1_000);
      });
    });
    out.on('error', () => resolve({ status: failure }));
    out.once('response', (response) => resolve({ status: response.statusCode ?? 502, response }));
    out.once('upgrade', (response, socket, head) => resolve({ status: 101, response, socket: socket as Socket, head }));
    if (isUpgrade) out.end();
    else viewer.pipe(out);
  });
}

function pass({ status, response }: Answer, viewer: ServerResponse): void {
  viewer.writeHead(status, response ? endToEnd(response.headers) : { Connection: 'close' });
  if (response) pipeline(response, viewer, () => {});
  else viewer.end();
}

function endToEnd(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !OWN_HEADERS.includes(name)));
}
