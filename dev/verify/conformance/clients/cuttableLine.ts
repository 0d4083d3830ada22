import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A TCP proxy that can cut its connections without a close frame. */
export class CuttableLine {
  readonly #open = new Set<Socket>();
  readonly #server;

  private constructor(to: URL) {
    this.#server = createServer((near) => {
      const far = connect(Number(to.port), to.hostname);
      for (const [socket, other] of [
        [near, far],
        [far, near],
      ] as const) {
        this.#open.add(socket);
        socket.pipe(other);
        socket.on('error', () => socket.destroy());
        socket.on('close', () => {
          this.#open.delete(socket);
          other.destroy();
        });
      }
    });
  }

  /** Makes one to the server at an address. */
  static async to(url: string): Promise<CuttableLine> {
    const line = new CuttableLine(new URL(url));
    line.#server.listen(0, '127.0.0.1');
    await once(line.#server, 'listening');
    return line;
  }

  /** The port by which the server is reached. */
  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  cut(): void {
    for (const socket of this.#open) socket.destroy();
  }

  close(): void {
    this.#server.close();
    this.cut();
  }
}
