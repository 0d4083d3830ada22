import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A streaming URL that refuses every connection, as API Gateway does with 429 when too many come at once. */
export class RefusingServer {
  /** How many connections it has refused. */
  refused = 0;
  readonly #server = createServer();

  private constructor() {
    this.#server.on('upgrade', (_request, socket) => {
      this.refused++;
      socket.on('error', () => {});
      socket.end('HTTP/1.1 429 Too Many Requests\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
    });
  }

  static async start(): Promise<RefusingServer> {
    const server = new RefusingServer();
    server.#server.listen(0, '127.0.0.1');
    await once(server.#server, 'listening');
    return server;
  }

  get url(): string {
    return `ws://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.close();
  }
}
