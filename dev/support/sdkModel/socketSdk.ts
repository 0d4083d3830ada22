import { WebSocket } from 'ws';
import type { Received, SdkModel } from './sdkModel.ts';

/** How an SDK connects, and what is called with the events of its connections. */
export interface SocketOptions {
  /** Whether it offers compression. Default: true. */
  readonly perMessageDeflate?: boolean;
  /** After the data-sync of a new connection was sent. */
  readonly onAsked?: () => void;
  readonly onReceived?: (received: Received) => void;
  /** Before the connection is closed. */
  readonly onRefused?: (statusCode: number) => void;
  /** Instead of the reconnect at once that follows by default, unless the SDK's rules stop it. */
  readonly onClosed?: (code: number, reason: string) => void;
}

/** An SDK with a WebSocket. It asks on each new connection. */
export class SocketSdk {
  readonly model: SdkModel;
  /** The number of its connections. An SDK that receives only what it accepts needs one. */
  connections = 0;
  /** The close code after which it did not reconnect. */
  stoppedBy: number | undefined;
  readonly #url: () => string;
  readonly #options: SocketOptions;
  #socket: WebSocket | undefined;

  /** @param url makes the URL of a connection */
  constructor(model: SdkModel, url: () => string, options: SocketOptions = {}) {
    this.model = model;
    this.#url = url;
    this.#options = options;
  }

  connect(): void {
    this.connections++;
    const { onAsked, onReceived, onRefused, perMessageDeflate = true } = this.#options;
    const { type, userAgent } = this.model.rules;
    const agent = userAgent && { 'User-Agent': userAgent, ...(type === 'client' ? { 'X-User-Agent': userAgent } : {}) };
    const socket = new WebSocket(this.#url(), { perMessageDeflate, ...(agent ? { headers: agent } : {}) });
    this.#socket = socket;
    socket.on('open', () => {
      this.ask();
      onAsked?.();
    });
    socket.on('message', (data) => {
      if (socket !== this.#socket) return;
      const received = this.model.receive(String(data), performance.now());
      if (received.outcome === 'reconnect') socket.close(1001, 'data sync error');
      if (received.outcome === 'ask again') this.ask(true);
      onReceived?.(received);
    });
    socket.on('unexpected-response', (_, { statusCode = 0 }) => {
      onRefused?.(statusCode);
      socket.terminate();
    });
    socket.on('error', () => {});
    socket.on('close', (code, reason) => {
      if (socket === this.#socket) this.#closed(code, String(reason));
    });
  }

  /** Sends a data-sync. @param isAnew whether it asks for everything */
  ask(isAnew = false): void {
    this.send(this.model.request(performance.now(), isAnew));
  }

  send(text: string): void {
    this.#socket?.send(text);
  }

  /** Loses its connection. */
  lose(): void {
    this.#socket?.terminate();
  }

  /** Ends its connection without a close frame, and ignores later messages. */
  close(): void {
    const socket = this.#socket;
    this.#socket = undefined;
    this.model.disconnect(performance.now());
    socket?.terminate();
  }

  #closed(code: number, reason: string): void {
    this.#socket = undefined;
    this.model.disconnect(performance.now());
    if (this.#options.onClosed) this.#options.onClosed(code, reason);
    else if (this.model.rules.stopsAt?.includes(code)) this.stoppedBy = code;
    else this.connect();
  }
}
