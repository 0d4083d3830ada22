import type { Socket } from 'node:net';
import { INBOUND_LIMIT_BYTES } from '../../shared/protocol/message.ts';
import { encodeClose, encodeFrame, encodeText, OPCODE } from './frame.ts';
import { type FrameEvents, FrameReader } from './frameReader.ts';
import { acceptance } from './handshake.ts';
import { CLOSE_PATIENCE_MS, type OnOpen, type Transport, type TransportEvents } from './transport.ts';

/** A socket that carries a WebSocket: one property instead of closures, of which there would be several for each. */
interface CarryingSocket extends Socket {
  webSocket?: NetWebSocket;
}

/**
 * A WebSocket right on its socket (record 14). Messages over the protocol's limit end it with 1009, binary ones with 1003.
 */
export class NetWebSocket implements Transport, FrameEvents {
  readonly #socket: CarryingSocket;
  readonly #reader = new FrameReader(this, INBOUND_LIMIT_BYTES);
  readonly #events: TransportEvents;
  #isOpen = true;
  #closing: NodeJS.Timeout | undefined;

  private constructor(socket: CarryingSocket, query: URLSearchParams, onOpen: OnOpen) {
    this.#socket = socket;
    socket.webSocket = this;
    this.#events = onOpen(this, query);
  }

  /**
   * Takes a socket over: accepts the handshake, and reads frames from then on.
   *
   * @param first what came after the handshake already
   */
  static accept(socket: Socket, key: string, query: URLSearchParams, first: Buffer, onOpen: OnOpen): void {
    socket.write(acceptance(key), 'latin1');
    const webSocket = new NetWebSocket(socket, query, onOpen);
    socket.on('data', onData);
    socket.on('drain', onDrain);
    socket.on('end', onEnd);
    socket.on('close', onClose);
    if (first.length > 0) webSocket.#reader.read(first);
  }

  get bufferedBytes(): number {
    return this.#socket.writableLength;
  }

  send(text: string): void {
    if (this.#isOpen) this.#write(encodeText(text));
  }

  close(code: number, reason: string): void {
    if (!this.#isOpen) return;
    this.#write(encodeClose(code, reason));
    this.#isOpen = false;
    this.#awaitEnd();
  }

  terminate(): void {
    this.#isOpen = false;
    this.#socket.destroy();
  }

  onText(text: string): void {
    if (this.#isOpen) this.#events.onMessage(text);
  }

  onBinary(): void {
    this.close(1003, 'Unsupported data');
  }

  onPing(payload: Buffer): void {
    if (this.#isOpen) this.#write(encodeFrame(OPCODE.pong, payload));
  }

  onCloseFrame(code: number, reason: string): void {
    this.close(code, reason);
    this.#end();
  }

  onViolation(code: number): void {
    this.close(code, '');
    this.#end();
  }

  /** What arrived. */
  read(chunk: Buffer): void {
    this.#reader.read(chunk);
  }

  /** The other side has ended the connection, in whatever state it is. */
  ended(): void {
    this.#isOpen = false;
    this.#end();
    this.#awaitEnd();
  }

  closed(): void {
    this.#isOpen = false;
    clearTimeout(this.#closing);
    this.#events.onClose();
  }

  #write(frame: Buffer): void {
    if (!this.#socket.write(frame)) this.#socket.pause();
  }

  /** Ending twice makes an error with a stack each time, which took 5 % of the processor under churn. */
  #end(): void {
    if (!this.#socket.writableEnded) this.#socket.end();
  }

  #awaitEnd(): void {
    this.#socket.resume();
    this.#closing ??= setTimeout(() => this.#socket.destroy(), CLOSE_PATIENCE_MS);
  }
}

function onData(this: CarryingSocket, chunk: Buffer): void {
  this.webSocket?.read(chunk);
}

function onDrain(this: CarryingSocket): void {
  this.resume();
}

function onEnd(this: CarryingSocket): void {
  this.webSocket?.ended();
}

function onClose(this: CarryingSocket): void {
  this.webSocket?.closed();
}
