import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type RawData, WebSocket, WebSocketServer } from 'ws';
import { MESSAGE_LIMIT_BYTES } from '../../../shared/protocol/message.ts';
import {
  CLOSE_TIMEOUT_MS,
  type OnOpen,
  OVER_BUDGET,
  type Transport,
  type TransportEvents,
} from '../transport/transport.ts';

/** Time in which a refused client can read why, in milliseconds. */
const REFUSED_CLOSE_MS = 1_000;

/** Accepts a WebSocket request. */
export type Upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer, query: URLSearchParams) => void;

/**
 * WebSockets of the `ws` library. Messages over {@link MESSAGE_LIMIT_BYTES} close a connection with 1009, as on API
 * Gateway, and binary ones with 1003. Messages between the protocol's limit and this one get no answer, as from
 * FeatBit's server.
 *
 * @param addressOf finds the address of a client, if that has a budget
 * @param unreadTimeoutMs how long a client may read nothing of its messages before its connection is closed
 */
export function createWsUpgrade(
  onOpen: OnOpen,
  addressOf: (request: IncomingMessage) => string | undefined,
  unreadTimeoutMs: number,
): Upgrade {
  const options = {
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: MESSAGE_LIMIT_BYTES,
    // The library's own pongs would accumulate for a client that sends pings and reads nothing.
    autoPong: false,
    closeTimeout: CLOSE_TIMEOUT_MS,
  };
  const server = new WebSocketServer(options);
  return (request, socket, head, query) => {
    server.handleUpgrade(request, socket, head, (webSocket) => {
      const carried = new CarriedWebSocket(webSocket);
      const events = onOpen(carried, query, addressOf(request));
      carried.events = events;
      // Nothing is read while bytes wait, so only progress in sending resets this timer.
      (socket as Socket).setTimeout(unreadTimeoutMs);
      // Not as the listener of `setTimeout`: that is removed after the first idle time, even if nothing waits.
      socket.on('timeout', () => {
        if (carried.bufferedBytes > 0) webSocket.terminate();
      });
      webSocket.on('ping', (data) => {
        events.onControl(data.length);
        carried.pong(data);
      });
      webSocket.on('pong', (data) => events.onControl(data.length));
      webSocket.on('message', (data: RawData, isBinary) => {
        if (isBinary) carried.refuse(1003, 'Unsupported data');
        else events.onMessage(String(data));
      });
      webSocket.on('close', () => events.onClose());
      // The library closes the connection after an error.
      webSocket.on('error', () => {});
    });
  };
}

class CarriedWebSocket implements Transport {
  readonly #webSocket: WebSocket;
  #isRefused = false;
  events: TransportEvents | undefined;

  constructor(webSocket: WebSocket) {
    this.#webSocket = webSocket;
  }

  get bufferedBytes(): number {
    return this.#webSocket.bufferedAmount;
  }

  send(text: string): void {
    // Bytes sent after a close would count as buffered forever.
    if (this.#webSocket.readyState !== WebSocket.OPEN) return;
    this.#webSocket.send(text, this.#onSent);
    this.#pauseWhileBuffered();
  }

  pong(data: Buffer): void {
    if (this.#webSocket.readyState !== WebSocket.OPEN) return;
    this.#webSocket.pong(data, false, this.#onSent);
    this.#pauseWhileBuffered();
  }

  close(code: number, reason: string): void {
    if (code === OVER_BUDGET[0]) this.refuse(code, reason);
    else {
      this.#webSocket.resume();
      this.#webSocket.close(code, reason);
    }
  }

  /** Closes it without reading anything more, so that a flood costs nothing. */
  refuse(code: number, reason: string): void {
    this.#isRefused = true;
    this.#webSocket.close(code, reason);
    this.#webSocket.pause();
    setTimeout(() => this.#webSocket.terminate(), REFUSED_CLOSE_MS).unref();
  }

  terminate(): void {
    this.#webSocket.terminate();
  }

  #pauseWhileBuffered(): void {
    if (this.bufferedBytes > 0) this.#webSocket.pause();
  }

  readonly #onSent = () => {
    if (this.#isRefused || !this.#webSocket.isPaused || this.bufferedBytes > 0) return;
    this.#webSocket.resume();
    this.events?.onDrain();
  };
}
