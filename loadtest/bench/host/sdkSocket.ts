import { connect, type Socket } from 'node:net';
import { CLIENT_CLOSE, clientText, ServerFrames } from './serverFrames.ts';

const PING = clientText('{"messageType":"ping","data":null}');

/** Told of what happens on a connection. */
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
 * One connection as an SDK has it: the handshake, a data-sync at once, pings when told. Written by hand over `node:net`,
 * since a client library costs as much as the server that is to be measured.
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
  readonly #socket: Socket;
  readonly #events: SocketEvents;
  readonly #frames = new ServerFrames();
  #head = '';
  #isLetIn = false;
  #isGoing = false;
  #isOver = false;

  constructor(keyId: string, { host, port }: Address, target: string, events: SocketEvents) {
    this.keyId = keyId;
    this.#events = events;
    this.#socket = connect({ host, port, noDelay: true });
    this.#socket.write(
      `GET ${target} HTTP/1.1\r\nHost: ${host}:${port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
        'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n',
      'latin1',
    );
    this.#socket.on('data', (chunk) => this.#onData(chunk));
    this.#socket.on('error', (error: NodeJS.ErrnoException) => this.#end(error.code ?? error.message));
    this.#socket.on('close', () => this.#end('the connection was ended'));
  }

  ping(): void {
    this.#socket.write(PING);
  }

  /** Says goodbye in order. */
  close(): void {
    this.#isGoing = true;
    this.#socket.write(CLIENT_CLOSE);
  }

  #onData(chunk: Buffer): void {
    let bytes = chunk;
    if (!this.#isLetIn) {
      this.#head += chunk.toString('latin1');
      const end = this.#head.indexOf('\r\n\r\n');
      if (end < 0) return;
      if (!this.#head.startsWith('HTTP/1.1 101 ')) {
        this.#end(`refused: ${this.#head.slice(0, 40)}`);
        return;
      }
      this.#isLetIn = true;
      bytes = Buffer.from(this.#head.slice(end + 4), 'latin1');
      this.#head = '';
      const user = { keyId: this.keyId, name: this.keyId, customizedProperties: [] };
      this.syncedAt = performance.now();
      this.#socket.write(clientText(JSON.stringify({ messageType: 'data-sync', data: { timestamp: 0, user } })));
    }
    const { texts, isClosed } = this.#frames.read(bytes);
    for (const text of texts) this.#events.onText(this, text);
    if (isClosed) {
      this.#end(this.#isGoing ? undefined : 'closed by the server');
      this.#socket.end();
    }
  }

  #end(why: string | undefined): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#events.onEnd(this, this.#isGoing ? undefined : why);
    if (why !== undefined) this.#socket.destroy();
  }
}
