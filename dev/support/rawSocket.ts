import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { timeouts } from '../../shared/testing/until.ts';

/** How a WebSocket was closed. */
interface CloseEvent {
  readonly code: number;
  readonly reason: string;
}

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

/** A bare WebSocket: what goes over the wire, and nothing in between. */
export class RawSocket {
  readonly texts: string[] = [];
  /** Rejects with a {@link HandshakeError} when the handshake is answered with something else than 101. */
  readonly opened: Promise<void>;
  readonly closed: Promise<CloseEvent>;
  /** For what only the library has, such as pings. */
  readonly socket: WebSocket;
  #read = 0;

  /**
   * Connects.
   *
   * @param userAgent what it calls itself; nothing unless given, as the Node SDK
   */
  constructor(url: string, userAgent?: string) {
    const socket = new WebSocket(url, userAgent === undefined ? {} : { headers: { 'User-Agent': userAgent } });
    this.socket = socket;
    socket.on('message', (data, isBinary) => this.texts.push(isBinary ? `binary ${data}` : String(data)));
    this.opened = new Promise((resolve, reject) => {
      socket.on('open', () => resolve());
      socket.on('error', reject);
      socket.on('unexpected-response', (_request, response) => {
        response.resume();
        reject(new HandshakeError(response.statusCode ?? 0));
      });
    });
    this.opened.catch(() => {});
    this.closed = new Promise((resolve) => {
      socket.on('close', (code, reason) => resolve({ code, reason: String(reason) }));
    });
  }

  /** Connects, and waits until the connection is open. @throws {HandshakeError} when it is refused */
  static async open(url: string, userAgent?: string): Promise<RawSocket> {
    const client = new RawSocket(url, userAgent);
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
    const last = this.texts.slice(-3).map((text) => text.slice(0, 1_000));
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

  /** That nothing has come: an echo sent now is the next to arrive. */
  async expectSilence(): Promise<void> {
    const echo = `{"messageType":"echo","data":${Math.random()}}`;
    this.send(echo);
    const text = await this.nextText();
    if (text !== echo) throw new Error(`expected silence, but got: ${text.slice(0, 500)}`);
  }

  async close(): Promise<void> {
    this.socket.close(1000);
    await this.closed;
  }

  /** Breaks the connection without a word. */
  terminate(): void {
    this.socket.terminate();
  }
}

/** A handshake that was not answered with 101. */
export class HandshakeError extends Error {
  override name = 'HandshakeError';
  readonly status: number;

  constructor(status: number) {
    super(`the handshake was refused with ${status}`);
    this.status = status;
  }
}
