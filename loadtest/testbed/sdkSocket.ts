import { CLIENT_CLOSE, clientText, ServerFrames } from './serverFrames.ts';

const PING = clientText('{"messageType":"ping","data":null}');

/** What is called when something happens on a connection. */
interface SocketEvents {
  /** A message has come. */
  onText(socket: SdkSocket, text: string): void;
  /** It has ended. @param why what was wrong; undefined when it was asked to go */
  onEnd(socket: SdkSocket, why: string | undefined): void;
}

/** Where connections go. */
export interface Address {
  readonly host: string;
  readonly port: number;
}

/**
 * One connection as an SDK has it: the handshake, a data-sync at once, pings on request. Written by hand over Bun's plain
 * sockets, since a client library, and Node's sockets, cost as much as the server that is to be measured.
 */
export class SdkSocket {
  readonly keyId: string;
  readonly beganAt = performance.now();
  /** When the data-sync was sent; 0 before. */
  syncedAt = 0;
  /** When it was answered; 0 before. */
  answeredAt = 0;
  /** The newest change that has arrived, by its position among all. */
  lastChange = 0;
  readonly #handshake: string;
  readonly #events: SocketEvents;
  readonly #frames = new ServerFrames();
  #socket: Bun.Socket<SdkSocket> | undefined;
  #head = '';
  #isLetIn = false;
  #isGoing = false;
  #isOver = false;

  constructor(keyId: string, { host, port }: Address, target: string, events: SocketEvents) {
    this.keyId = keyId;
    this.#events = events;
    this.#handshake =
      `GET ${target} HTTP/1.1\r\nHost: ${host}:${port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n';
    Bun.connect<SdkSocket>({ hostname: host, port, data: this, socket: handlers }).catch((error) =>
      this.end(error.code),
    );
  }

  ping(): void {
    this.#write(PING);
  }

  /** Says goodbye in order. */
  close(): void {
    this.#isGoing = true;
    this.#write(CLIENT_CLOSE);
  }

  open(socket: Bun.Socket<SdkSocket>): void {
    this.#socket = socket;
    this.#write(this.#handshake);
  }

  read(chunk: Buffer): void {
    let bytes = chunk;
    if (!this.#isLetIn) {
      this.#head += chunk.toString('latin1');
      const end = this.#head.indexOf('\r\n\r\n');
      if (end < 0) return;
      if (!this.#head.startsWith('HTTP/1.1 101 ')) {
        this.end(`refused: ${this.#head.slice(0, 40)}`);
        return;
      }
      this.#isLetIn = true;
      bytes = Buffer.from(this.#head.slice(end + 4), 'latin1');
      this.#head = '';
      const user = { keyId: this.keyId, name: this.keyId, customizedProperties: [] };
      this.syncedAt = performance.now();
      this.#write(clientText(JSON.stringify({ messageType: 'data-sync', data: { timestamp: 0, user } })));
    }
    const { texts, isClosed } = this.#frames.read(bytes);
    for (const text of texts) this.#events.onText(this, text);
    if (isClosed) {
      this.end(this.#isGoing ? undefined : 'closed by the server');
      this.#socket?.end();
    }
  }

  end(why: string | undefined): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#events.onEnd(this, this.#isGoing ? undefined : why);
    if (why !== undefined) this.#socket?.terminate();
  }

  #write(bytes: string | Uint8Array): void {
    // What a connection sends is little: a socket that does not take all of it is stuck.
    if (this.#socket && this.#socket.write(bytes) < bytes.length) this.end('the server does not read');
  }
}

const handlers: Bun.SocketHandler<SdkSocket> = {
  open: (socket) => socket.data.open(socket),
  data: (socket, chunk) => socket.data.read(chunk),
  error: (socket, error) => socket.data.end(error.message),
  close: (socket) => socket.data.end('the connection was ended'),
};
