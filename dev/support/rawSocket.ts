import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { timeouts } from '../../shared/testing/until.ts';

/** A message of the service, parsed. */
export interface Received {
  readonly messageType: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came.
  readonly data: any;
}

/** The versions of the flags in a data-sync, of either type, in its order. */
export function listVersions({ data }: Received): number[] {
  return data.featureFlags.map(
    (flag: { updatedAt?: string; timestamp?: number }) => flag.timestamp ?? Date.parse(flag.updatedAt ?? ''),
  );
}

/** A WebSocket client that keeps the text of each message. */
export class RawSocket {
  readonly texts: string[] = [];
  /** Rejects with a {@link HandshakeError} if the handshake is refused. */
  readonly opened: Promise<void>;
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;
  /** The socket of the library, for example for pings. */
  readonly socket: WebSocket;
  #read = 0;

  /** Connects. @param headers no User-Agent by default, as with the Node SDK */
  constructor(url: string, headers: Readonly<Record<string, string>> = {}) {
    const socket = new WebSocket(url, { headers });
    this.socket = socket;
    socket.on('message', (data, isBinary) => this.texts.push(isBinary ? `binary ${data}` : String(data)));
    this.opened = new Promise((resolve, reject) => {
      socket.on('open', () => resolve());
      socket.on('error', reject);
      socket.on('unexpected-response', (_request, response) => {
        text(response).then((body) => reject(new HandshakeError(response.statusCode ?? 0, body)), reject);
      });
    });
    this.opened.catch(() => {});
    this.closed = new Promise((resolve) => {
      socket.on('close', (code, reason) => resolve({ code, reason: String(reason) }));
    });
  }

  /** Connects, and waits until the connection is open. @throws {HandshakeError} when it is refused */
  static async open(url: string, headers: Readonly<Record<string, string>> = {}): Promise<RawSocket> {
    const client = new RawSocket(url, headers);
    await client.opened;
    return client;
  }

  get isOpen(): boolean {
    return this.socket.readyState === WebSocket.OPEN;
  }

  send(message: unknown): void {
    this.socket.send(typeof message === 'string' || message instanceof Buffer ? message : JSON.stringify(message));
  }

  /** Sends one message in two frames. */
  sendInTwo(message: unknown): void {
    const text = JSON.stringify(message);
    const half = Math.floor(text.length / 2);
    this.socket.send(text.slice(0, half), { fin: false });
    this.socket.send(text.slice(half), { fin: true });
  }

  /** The next message, in order of arrival. @throws when none comes */
  async nextText(): Promise<string> {
    for (const end = Date.now() + timeouts().message; this.#read >= this.texts.length; await sleep(5)) {
      if (Date.now() > end) throw new Error(this.#missing());
    }
    return this.texts[this.#read++] as string;
  }

  #missing(): string {
    const last = this.texts.slice(-3).map((each) => each.slice(0, 1_000));
    return `no message within ${timeouts().message} ms after ${this.texts.length}, the last of which were:\n${last.join('\n')}`;
  }

  async next(): Promise<Received> {
    return JSON.parse(await this.nextText()) as Received;
  }

  /** Sends a data-sync and gives its answer. */
  async sync(data: unknown): Promise<Received> {
    this.send({ messageType: 'data-sync', data });
    return this.next();
  }

  /** Expects that no message has arrived: the next message is the answer to an echo. */
  async expectSilence(): Promise<void> {
    const echo = `{"messageType":"echo","data":${Math.random()}}`;
    this.send(echo);
    const next = await this.nextText();
    if (next !== echo) throw new Error(`expected silence, but got: ${next.slice(0, 500)}`);
  }

  async close(): Promise<void> {
    this.socket.close(1000);
    await this.closed;
  }

  /** Ends the connection without a close frame. */
  terminate(): void {
    this.socket.terminate();
  }
}

/** A refused handshake. */
export class HandshakeError extends Error {
  override name = 'HandshakeError';
  readonly status: number;
  readonly body: string;

  constructor(status: number, body: string) {
    super(`the handshake was refused with ${status}`);
    this.status = status;
    this.body = body;
  }
}
