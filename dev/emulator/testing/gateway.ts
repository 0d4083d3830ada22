import WebSocket from 'ws';
import { type AwsProfile, awsProfiles } from '../awsProfiles.ts';
import { type Clock, systemClock } from '../clock.ts';
import { serveGateway } from '../gatewayServer.ts';
import { HostNames } from '../hostNames.ts';
import { readHttpApis } from '../http/definition.ts';
import { createHttpGateway } from '../http/gateway.ts';
import { Identities } from '../iam/identities.ts';
import { readFunctions } from '../lambda/definition.ts';
import { createFunctionRegistry } from '../lambda/registry.ts';
import { listen } from '../listen.ts';
import { readModel } from '../template/resolve.ts';
import type { Templates } from '../template/template.ts';
import { createAccountThrottle } from '../throttling/routeThrottle.ts';
import { readWebSocketApis } from '../websocket/definition.ts';
import type { Traffic } from '../websocket/events.ts';
import { createWebSocketGateway, type WebSocketGateway } from '../websocket/gateway.ts';
import { awsLimits } from '../websocket/limits.ts';
import { testAccessKey as accessKey } from './services.ts';
import { exampleTemplates } from './templates.ts';

/** A gateway of the example app on an ephemeral port, without tables or queues. */
export interface TestGateway {
  readonly url: string;
  readonly streamingUrl: string;
  readonly log: readonly string[];
  readonly webSocket: WebSocketGateway;
  close(): Promise<void>;
}

/** Starts a {@link TestGateway}. */
export async function startTestGateway(
  options: { clock?: Clock; templates?: Templates; aws?: AwsProfile; traffic?: Traffic } = {},
): Promise<TestGateway> {
  const { clock = systemClock, templates = exampleTemplates, aws = awsProfiles.default, traffic } = options;
  const lines: string[] = [];
  const log = (line: string) => lines.push(line);
  const listening = await listen(0);
  const url = `http://127.0.0.1:${listening.port}`;
  try {
    const addresses = { gatewayUrl: url, serviceUrl: 'http://127.0.0.1:1', streamArn: () => 'arn:stream' };
    const model = readModel(templates, addresses);
    const identities = new Identities(accessKey);
    const functions = createFunctionRegistry(readFunctions(model), { clock: systemClock, log, identities, ...aws });
    await functions.load();
    const throttle = createAccountThrottle(aws, clock);
    const hostNames = new HostNames(['x']);
    const services = { functions, clock, limits: awsLimits, log, aws, throttle, traffic, hostNames };
    const [webSocket] = readWebSocketApis(model).map((api) => createWebSocketGateway(api, services));
    if (!webSocket) throw new Error('The templates have no WebSocket API');
    const httpApis = readHttpApis(model).map((api) => createHttpGateway(api, services));
    listening.open((server) => serveGateway(server, { ...services, webSockets: [webSocket], identities, httpApis }));
    return {
      url,
      streamingUrl: `ws://127.0.0.1:${listening.port}/streaming`,
      log: lines,
      webSocket,
      async close() {
        await webSocket.close(500);
        await listening.stop(500);
      },
    };
  } catch (error) {
    await listening.stop(0);
    throw error;
  }
}

/** A client that keeps what it hears. */
export interface TestClient {
  readonly socket: WebSocket;
  /** The next text message not yet taken. */
  next(): Promise<string>;
  /** Resolves when the socket has closed. */
  readonly closed: Promise<{ code: number; reason: string }>;
}

/** Connects a {@link TestClient}. @throws Error `Unexpected server response: <status>` when refused. */
export async function connectClient(url: string, options: WebSocket.ClientOptions = {}): Promise<TestClient> {
  const socket = new WebSocket(url, { perMessageDeflate: false, ...options });
  const heard: string[] = [];
  const takers: ((text: string) => void)[] = [];
  socket.on('message', (data: Buffer) => {
    const text = data.toString('utf8');
    const taker = takers.shift();
    if (taker) taker(text);
    else heard.push(text);
  });
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.on('close', (code, reason) => resolve({ code, reason: reason.toString() }));
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('open', () => resolve());
    socket.once('error', reject);
  });
  socket.on('error', () => {});
  return {
    socket,
    closed,
    next: () => {
      const text = heard.shift();
      return text === undefined ? new Promise((resolve) => takers.push(resolve)) : Promise.resolve(text);
    },
  };
}

/** The answer to a handshake that is refused: status and body. */
export function refusal(url: string, options: WebSocket.ClientOptions = {}): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url, options);
    socket.on('open', () => {
      socket.terminate();
      reject(new Error('The handshake was accepted'));
    });
    socket.on('error', reject);
    socket.on('unexpected-response', (_request, response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString() }));
    });
  });
}
