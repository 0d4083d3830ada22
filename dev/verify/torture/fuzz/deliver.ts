import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import type { OddRequest } from './requests.ts';
import type { Visit } from './visits.ts';

/** Maximum wait for an expected answer. It is longer than the retries of the service on its table. */
const ANSWER_TIMEOUT_MS = 30_000;

/** Time in which answers are not read. */
const UNREAD_MS = 1_500;

/** Maximum characters of a response that are checked. */
const LOOKED_AT = 1024 * 1024;

/** A request for a WebSocket. The key is RFC 6455's example. */
function upgradeAt(path: string): OddRequest {
  const key = { 'Sec-WebSocket-Version': '13', 'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==' };
  return {
    method: 'GET',
    path,
    headers: { Connection: 'Upgrade', Upgrade: 'websocket', ...key },
    body: Buffer.alloc(0),
  };
}

/**
 * Runs a session with the server on a port of this machine.
 *
 * @param timeoutMs maximum wait for an expected answer
 * @returns the problem of the answers, or undefined
 */
export async function deliver(port: number, visit: Visit, timeoutMs = ANSWER_TIMEOUT_MS): Promise<string | undefined> {
  try {
    if (visit.kind === 'messages') return await converse(port, visit, timeoutMs);
    if (visit.kind === 'unread') return await leaveUnread(port, visit, timeoutMs);
    return await request(port, visit.kind === 'handshake' ? upgradeAt(visit.path) : visit.request, timeoutMs);
  } catch (error) {
    return (error as Error).message;
  }
}

/** Sends a request, and checks the response. A server may end the connection instead of answering a body that it does not want. */
function request(
  port: number,
  { method, path, headers, body }: OddRequest,
  timeout: number,
): Promise<string | undefined> {
  const options: RequestOptions = { host: '127.0.0.1', port, method, path, headers, agent: false, timeout };
  return new Promise((resolve) => {
    const sent = httpRequest(
      options,
      (response) =>
        void judge(response)
          .then(resolve)
          .finally(() => sent.destroy()),
    );
    sent
      .on('upgrade', (_, socket) => resolve(void socket.destroy()))
      .on('error', () => resolve(undefined))
      .on('timeout', () => {
        resolve(`a request is without an answer after ${timeout} ms`);
        sent.destroy();
      })
      .end(body);
  });
}

async function judge(response: IncomingMessage): Promise<string | undefined> {
  let text = '';
  const { 'content-type': type, 'content-encoding': encoding } = response.headers;
  if (type?.startsWith('text/event-stream')) return undefined;
  for await (const chunk of response) if (text.length <= LOOKED_AT) text += chunk;
  return judgeResponse(response.statusCode ?? 0, text, encoding === undefined && text.length <= LOOKED_AT ? type : '');
}

/** Opens a WebSocket. @throws Error if the server refuses it */
async function open(port: number, path: string, isCompressed: boolean, timeoutMs: number): Promise<WebSocket> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, {
    perMessageDeflate: isCompressed,
    handshakeTimeout: timeoutMs,
  });
  try {
    await once(socket, 'open');
  } catch (error) {
    throw new Error(`a valid handshake is refused: ${(error as Error).message}`);
  }
  return socket.on('error', () => {});
}

/** Opens a WebSocket, sends the messages and then an echo, and checks all answers until the echo or the end. */
async function converse(
  port: number,
  { path, number, messages }: Extract<Visit, { kind: 'messages' }>,
  timeoutMs: number,
): Promise<string | undefined> {
  const socket = await open(port, path, number % 2 === 0, timeoutMs);
  const echo = `{"messageType":"echo","data":"visit ${number}"}`;
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  const timer = setTimeout(
    () => resolve(`a connection that sent only whole messages is silent for ${timeoutMs} ms`),
    timeoutMs,
  );
  socket
    .on('message', (data, isBinary) => {
      const problem = isBinary ? 'a binary message came' : judgeMessage(String(data));
      if (problem !== undefined || String(data) === echo) resolve(problem);
    })
    .on('close', (code) => resolve(code === 1000 ? 'it was closed with 1000 by the service' : undefined));
  for (const message of [...messages, echo]) socket.send(message);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    socket.terminate();
  }
}

/** Sends messages on several WebSockets, and reads no answer. */
async function leaveUnread(
  port: number,
  { path, messages, connections }: Extract<Visit, { kind: 'unread' }>,
  timeoutMs: number,
): Promise<undefined> {
  const sockets = await Promise.all(Array.from({ length: connections }, () => open(port, path, false, timeoutMs)));
  for (const socket of sockets) {
    socket.pause();
    for (const message of messages) socket.send(message);
  }
  await sleep(UNREAD_MS);
  for (const socket of sockets) socket.terminate();
}

/** Statuses of 500 and more that say that something is not offered, rather than that something broke. */
const NOT_OFFERED = new Set([501, 505]);

/** The problem of a response, or undefined. @param type its content type, if its body is not compressed */
export function judgeResponse(status: number, body: string, type = ''): string | undefined {
  if (status >= 500 && !NOT_OFFERED.has(status)) return `a request is answered ${status}`;
  if (!type.startsWith('application/json') || body === '') return undefined;
  return isJson(body) ? undefined : `a response of ${status} is no JSON: ${body.slice(0, 100)}`;
}

/** The problem of a message of the server, or undefined: each is a JSON object with `messageType`. */
export function judgeMessage(text: string): string | undefined {
  if (!isJson(text)) return `a message is no JSON: ${text.slice(0, 100)}`;
  const { messageType } = (JSON.parse(text) ?? {}) as { messageType?: unknown };
  return typeof messageType === 'string' ? undefined : `a message has no messageType: ${text.slice(0, 100)}`;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
