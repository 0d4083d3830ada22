import { setTimeout as sleep } from 'node:timers/promises';
import { quantile } from '../../shared/statistics/quantile.ts';
import { ProcessWatch } from '../measure/processWatch.ts';
import { HttpAnswer } from './httpAnswer.ts';
import { dueBy } from './load.ts';
import type { Address } from './sdkSocket.ts';

/** A load ends early after this many errors. */
const MOST_ERRORS = 100;

/** How long a load without a response goes on. Without one there is no P99 and no size. */
const FIRST_ANSWER_MS = 10_000;

/** An HTTP request to repeat. */
export interface HttpLoad {
  readonly addresses: readonly Address[];
  /** The text of the HTTP request. */
  readonly request: string;
  /** A part of the request. Each request gets other digits in its place, as many as it has characters. */
  readonly user?: string;
  /** Expected status. */
  readonly status: number;
  /** Concurrent requests, or new requests a second. */
  readonly pace: { readonly open: number } | { readonly perSecond: number };
  /** True if each request uses a new connection. */
  readonly isFresh: boolean;
  readonly ms: number;
}

/**
 * Sends a request repeatedly. A response with another status is an error.
 *
 * @returns expected responses a second, bytes of the last response with its head, P99 of the times to a response in milliseconds, errors, and the health of this process
 */
export async function loadHttp({ addresses, request, user = '', status, pace, isFresh, ms }: HttpLoad) {
  const reasons: string[] = [];
  const times: number[] = [];
  let [begun, users, errors, bytes] = [0, 0, 0, 0];
  let isOver = false;
  const nextRequest = () => (user ? request.replace(user, String(users++).padStart(user.length, '0')) : request);
  const begin = () => {
    const address = addresses[begun++ % addresses.length] as Address;
    new HttpConnection(address, nextRequest, (connection, answer) => {
      if (typeof answer !== 'string' && answer.status === status) {
        times.push(performance.now() - connection.askedAt);
        bytes = answer.bytes;
      } else if (!isOver) {
        errors++;
        const why = typeof answer === 'string' ? answer : `answered with ${answer.status} in place of ${status}`;
        if (reasons.length < 5) reasons.push(why);
        if (errors >= MOST_ERRORS) isOver = true;
      }
      const isUsable = typeof answer !== 'string' && !isFresh && !isOver;
      if (isUsable) connection.ask();
      else connection.close();
      if (!isUsable && !isOver && 'open' in pace) begin();
    });
  };
  const watch = new ProcessWatch();
  const startedAt = performance.now();
  const elapsed = () => performance.now() - startedAt;
  if ('open' in pace) for (let n = 0; n < pace.open; n++) begin();
  const isDone = () => isOver || elapsed() >= (times.length > 0 ? ms : ms + FIRST_ANSWER_MS);
  for (; !isDone(); await sleep(1)) {
    if ('perSecond' in pace) while (begun < dueBy(elapsed(), pace.perSecond, Number.MAX_SAFE_INTEGER)) begin();
  }
  const perSecond = times.length / (elapsed() / 1_000);
  isOver = true;
  if (times.length === 0) {
    errors++;
    reasons.push(`no response within ${ms + FIRST_ANSWER_MS} ms`);
  }
  return { ...watch.end(), perSecond, p99Ms: quantile(times, 0.99), bytes, errors, reasons };
}

/** Called with a response, or with the reason why there is none. */
type OnAnswer = (connection: HttpConnection, answer: HttpAnswer | string) => void;

/** A connection that sends one request after another. It uses Bun's sockets directly, like {@link SdkSocket}. */
class HttpConnection {
  askedAt = 0;
  readonly #nextRequest: () => string;
  readonly #onAnswer: OnAnswer;
  #socket: Bun.Socket<HttpConnection> | undefined;
  #answer = new HttpAnswer();
  #isClosed = false;

  constructor({ host, port }: Address, nextRequest: () => string, onAnswer: OnAnswer) {
    this.#nextRequest = nextRequest;
    this.#onAnswer = onAnswer;
    Bun.connect<HttpConnection>({ hostname: host, port, data: this, socket: handlers }).catch((error) =>
      this.end(error.code),
    );
  }

  ask(): void {
    this.#answer = new HttpAnswer();
    this.askedAt = performance.now();
    this.#socket?.write(this.#nextRequest());
  }

  close(): void {
    this.#isClosed = true;
    this.#socket?.terminate();
  }

  open(socket: Bun.Socket<HttpConnection>): void {
    this.#socket = socket;
    this.ask();
  }

  read(chunk: Buffer): void {
    if (this.#answer.read(chunk)) this.#onAnswer(this, this.#answer);
  }

  end(why: string): void {
    if (!this.#isClosed) this.#onAnswer(this, why);
  }
}

const handlers: Bun.SocketHandler<HttpConnection> = {
  open: (socket) => socket.data.open(socket),
  data: (socket, chunk) => socket.data.read(chunk),
  error: (socket, error) => socket.data.end(error.message),
  close: (socket) => socket.data.end('the connection was ended'),
};
