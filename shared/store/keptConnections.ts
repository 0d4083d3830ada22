import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { onSilence } from '../runtime/silence.ts';

/** Connections to one server; who asks for more waits for one, and who would be one of too many that wait is refused. */
const LIMIT = { open: 64, waiting: 1_000 };

/** The longest answer that is read: whatever asks here gets a few hundred bytes. */
const ANSWER_LIMIT = 64 * 1024;

/** Where requests go. */
export interface Origin {
  /** `http:` or `https:` */
  readonly protocol: string;
  readonly hostname: string;
  readonly port: number;
}

/**
 * Sends requests that are ready as bytes to one server over HTTP/1.1 connections that are kept open, each in turn. It takes
 * a third to half of the processor of a client for any request and answer (docs/decisions/0014-transport.md), and knows
 * only one form of answer, with a `Content-Length`, which is how DynamoDB answers. After any other the connection ends.
 */
export class KeptConnections {
  readonly #origin: Origin;
  readonly #timeoutMs: number;
  readonly #idle: KeptConnection[] = [];
  readonly #waiting: ((connection: KeptConnection) => void)[] = [];
  #open = 0;

  /** @param timeoutMs how long a request may take, waiting for a connection included */
  constructor(origin: Origin, timeoutMs: number) {
    this.#origin = origin;
    this.#timeoutMs = timeoutMs;
  }

  /**
   * @param request head and body
   * @returns the body of the answer
   * @throws Error when there is no answer in time, or another than 200
   */
  async send(request: Uint8Array): Promise<string> {
    const until = performance.now() + this.#timeoutMs;
    const connection = await this.#take();
    try {
      return await connection.exchange(request, until - performance.now());
    } finally {
      this.#giveBack(connection);
    }
  }

  #take(): KeptConnection | Promise<KeptConnection> {
    let idle = this.#idle.pop();
    while (idle?.isOver) {
      this.#open--;
      idle = this.#idle.pop();
    }
    if (idle) return idle;
    if (this.#waiting.length >= LIMIT.waiting)
      throw new Error(`${LIMIT.waiting} requests wait for a connection already`);
    if (this.#open >= LIMIT.open) return new Promise((resolve) => this.#waiting.push(resolve));
    this.#open++;
    return new KeptConnection(this.#origin);
  }

  #giveBack(connection: KeptConnection): void {
    const next = this.#waiting.shift();
    if (next) next(connection.isOver ? new KeptConnection(this.#origin) : connection);
    else if (connection.isOver) this.#open--;
    else this.#idle.push(connection);
  }
}

/** Who waits for an answer. */
interface PendingRequest {
  readonly resolve: (body: string) => void;
  readonly reject: (error: Error) => void;
  /** Ends the watch over its time. */
  readonly stop: () => void;
}

class KeptConnection {
  readonly #socket: Socket;
  #asked: PendingRequest | undefined;
  /** One character a byte. */
  #received = '';
  isOver = false;

  constructor({ protocol, hostname, port }: Origin) {
    const to = { host: hostname, port };
    const servername = isIP(hostname) ? {} : { servername: hostname };
    this.#socket = protocol === 'https:' ? connectTls({ ...to, ...servername }) : connect(to);
    this.#socket.setNoDelay().setEncoding('latin1');
    // While an answer is waited for the watch over its time keeps the process.
    this.#socket.unref();
    this.#socket.on('data', (text: string) => this.#read(text));
    this.#socket.on('error', (error) => this.#end(error));
    this.#socket.on('close', () => this.#end(new Error('the connection was closed')));
  }

  exchange(request: Uint8Array, leftMs: number): Promise<string> {
    if (leftMs <= 0) return Promise.reject(new Error('no connection in time'));
    return new Promise((resolve, reject) => {
      const stop = onSilence(leftMs, () => this.#end(new Error('no answer in time')));
      this.#asked = { resolve, reject, stop };
      this.#socket.write(request);
    });
  }

  #read(text: string): void {
    this.#received += text;
    const headEnd = this.#received.indexOf('\r\n\r\n');
    if (headEnd < 0 && this.#received.length < ANSWER_LIMIT) return;
    const head = this.#received.slice(0, Math.max(0, headEnd));
    const length = Number(/\r\ncontent-length: ?(\d{1,6})(?:\r\n|$)/i.exec(head)?.[1]);
    const end = headEnd + 4 + length;
    const status = /^HTTP\/1\.1 (\d{3})/.exec(head)?.[1];
    const isAsked = this.#asked && status !== undefined && length <= ANSWER_LIMIT;
    if (!isAsked || this.#received.length > end) this.#end(new Error('no answer of the form that was asked for'));
    else if (this.#received.length === end) this.#answer(status, this.#received.slice(headEnd + 4));
  }

  #answer(status: string, body: string): void {
    const asked = this.#asked;
    this.#asked = undefined;
    this.#received = '';
    asked?.stop();
    if (status === '200') asked?.resolve(Buffer.from(body, 'latin1').toString());
    else asked?.reject(new Error(`answered with ${status}`));
  }

  #end(error: Error): void {
    this.isOver = true;
    this.#socket.destroy();
    this.#asked?.stop();
    this.#asked?.reject(error);
    this.#asked = undefined;
  }
}
