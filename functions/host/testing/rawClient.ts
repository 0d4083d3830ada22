import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A WebSocket request from a plain client. */
export function upgradeRequest(target = '/streaming', extra: readonly string[] = []): string {
  const lines = [
    `GET ${target} HTTP/1.1`,
    'Host: flags.example.com',
    'Upgrade: websocket',
    'Connection: Upgrade',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    'Sec-WebSocket-Version: 13',
    ...extra,
  ];
  return `${lines.join('\r\n')}\r\n\r\n`;
}

/** A connection that writes given bytes and keeps the received ones. */
export class RawClient {
  readonly socket: Socket;
  #received = Buffer.alloc(0);
  readonly ended: Promise<void>;

  constructor(port: number) {
    this.socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    this.socket.on('data', (chunk) => {
      this.#received = Buffer.concat([this.#received, chunk]);
    });
    this.socket.on('error', () => {});
    this.ended = new Promise((resolve) => {
      this.socket.on('end', resolve);
      this.socket.on('close', () => resolve());
    });
  }

  /** Opens a WebSocket. @param headers of the request, in addition @returns when it is accepted */
  static async open(port: number, headers: readonly string[] = [], target = '/streaming'): Promise<RawClient> {
    const client = new RawClient(port);
    client.write(upgradeRequest(target, headers));
    await client.until((text) => text.includes('\r\n\r\n'));
    return client;
  }

  write(bytes: string | Buffer): void {
    this.socket.write(bytes);
  }

  /** All received text. */
  get text(): string {
    return this.#received.toString('latin1');
  }

  /** The received text after the response's head. */
  get frames(): Buffer {
    return this.#received.subarray(this.#received.indexOf('\r\n\r\n') + 4);
  }

  /** @returns when the received text matches, or the connection has ended */
  async until(isSo: (text: string) => boolean): Promise<void> {
    while (!isSo(this.text) && !this.socket.readableEnded && !this.socket.destroyed) {
      await Promise.race([once(this.socket, 'data'), this.ended]).catch(() => {});
    }
  }
}
