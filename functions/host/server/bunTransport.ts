import type { OnOpen, Transport, TransportEvents } from '../transport/transport.ts';
import { compression } from './compression.ts';

type Socket = Bun.ServerWebSocket<BunTransport>;

/**
 * A WebSocket of Bun's server. It is read even while its client has unread messages. The number of unhandled
 * messages has a limit (connections/serveConnection.ts).
 */
export class BunTransport implements Transport {
  /** Until it is open. */
  #query: URLSearchParams | undefined;
  readonly #address: string | undefined;
  readonly #unreadTimeoutMs: number;
  #socket: Socket | undefined;
  /** Messages that wait until earlier ones have been read. Bun would drop them. */
  #waiting: string[] | undefined;
  #waitingBytes = 0;
  /** Timer that runs while something is unread. */
  #unreadTimer: NodeJS.Timeout | undefined;
  events: TransportEvents | undefined;

  /** @param unreadTimeoutMs how long a client may leave messages unread before its connection is closed */
  constructor(query: URLSearchParams, address: string | undefined, unreadTimeoutMs: number) {
    this.#query = query;
    this.#address = address;
    this.#unreadTimeoutMs = unreadTimeoutMs;
  }

  get bufferedBytes(): number {
    return this.#waitingBytes + (this.#socket?.getBufferedAmount() ?? 0);
  }

  send(text: string): void {
    if (this.#socket?.readyState !== WebSocket.OPEN) return;
    if (this.#socket.getBufferedAmount() > 0) {
      this.#waiting ??= [];
      this.#waiting.push(text);
      this.#waitingBytes += Buffer.byteLength(text);
      return;
    }
    write(this.#socket, text);
    this.#expectProgress();
  }

  close(code: number, reason: string): void {
    this.#socket?.close(code, reason);
  }

  terminate(): void {
    this.#socket?.terminate();
  }

  open(socket: Socket, onOpen: OnOpen): void {
    this.#socket = socket;
    this.events = onOpen(this, this.#query ?? new URLSearchParams(), this.#address);
    this.#query = undefined;
  }

  /** The network has accepted some unread bytes. */
  drain(): void {
    while (this.#socket?.getBufferedAmount() === 0) {
      const next = this.#waiting?.shift();
      if (next === undefined) break;
      this.#waitingBytes -= Buffer.byteLength(next);
      write(this.#socket, next);
    }
    if (this.bufferedBytes === 0) this.events?.onDrain();
    // Messages sent here are written when this function returns.
    setImmediate(() => this.#expectProgress());
  }

  closed(): void {
    clearTimeout(this.#unreadTimer);
    this.#waiting = undefined;
    this.#waitingBytes = 0;
    this.events?.onClose();
  }

  #expectProgress(): void {
    clearTimeout(this.#unreadTimer);
    if (this.bufferedBytes > 0) this.#unreadTimer = setTimeout(() => this.terminate(), this.#unreadTimeoutMs);
  }
}

function write(socket: Socket, text: string): void {
  // Without effect on connections that have not negotiated compression.
  compression.send(text, (compress) => socket.sendText(text, compress));
}
