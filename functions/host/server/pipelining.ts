import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { RETRY_AFTER } from '../../../shared/protocol/retryAfter.ts';
import { MOST_PIPELINED } from '../budgets/clientBudgets.ts';
import { CLOSE_TIMEOUT_MS } from '../transport/transport.ts';

/** Headers of a refusal. What the client has sent after it is not read. */
export const REFUSAL_HEADERS = { ...RETRY_AFTER, Connection: 'close' } as const;

type Exchange = readonly [request: IncomingMessage, response: ServerResponse];

/** The requests of a socket that wait until earlier ones are answered, or `refused` after too many. */
type Waiting = Exchange[] | 'refused';

/**
 * Answers one request of a socket at a time. Node's server would start all at once that a client sends, and keep all
 * answers in memory until the client reads them. Between two, other sockets have their turn.
 *
 * @param onExceeded called for a socket with more than {@link MOST_PIPELINED} requests. It gets 429 and is closed
 */
export function oneAtATime(listener: RequestListener, onExceeded: () => void): RequestListener {
  const sockets = new WeakMap<Socket, Waiting>();
  const start = ([request, response]: Exchange) => {
    response.once('close', () => setImmediate(answerNext, request.socket));
    listener(request, response);
  };
  const answerNext = (socket: Socket) => {
    const waiting = sockets.get(socket);
    if (!waiting || waiting === 'refused') return;
    const next = waiting.shift();
    if (next && !socket.destroyed) start(next);
    else sockets.delete(socket);
  };
  return (request, response) => {
    const { socket } = request;
    const waiting = sockets.get(socket);
    if (!waiting) {
      sockets.set(socket, []);
      start([request, response]);
    } else if (waiting !== 'refused') {
      waiting.push([request, response]);
      if (waiting.length < MOST_PIPELINED) return;
      onExceeded();
      // Node sends the refusals after the answers to earlier requests, and closes the socket after the first.
      for (const [, refused] of waiting) refused.writeHead(429, { ...REFUSAL_HEADERS, 'Content-Length': 0 }).end();
      sockets.set(socket, 'refused');
      socket.pause();
      stopParser(socket);
      setTimeout(() => socket.destroy(), CLOSE_TIMEOUT_MS).unref();
    }
  };
}

/** The result of a parser's `onIncoming` by which Node tells llhttp that another protocol follows. The parser then stops. */
const STOP = 2;

/** Otherwise the parser makes objects for all other requests of the packet, thousands of them, before another socket has its turn. */
function stopParser(socket: Socket & { readonly parser?: { onIncoming?: () => number } | null }): void {
  if (socket.parser) socket.parser.onIncoming = () => STOP;
}

/**
 * Counts the requests that a socket sends in one turn of the event loop. Bun's server answers all of them before it
 * reads other sockets, and closes a socket that sends one while another is not answered yet.
 *
 * @returns a function that takes the client of a request, and returns false after {@link MOST_PIPELINED} others of the socket
 */
export function countPipelined() {
  let last = { address: '', port: 0 };
  let count = 0;
  const endTurn = () => {
    count = 0;
  };
  return (client: typeof last): boolean => {
    if (count > 0 && client.port === last.port && client.address === last.address) return ++count <= MOST_PIPELINED;
    if (count === 0) setImmediate(endTurn);
    last = client;
    count = 1;
    return true;
  };
}
