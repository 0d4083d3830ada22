import { setImmediate as turn } from 'node:timers/promises';

/**
 * Time limit for a peer's answer to a close, and for the end of the connection after it, in milliseconds. Then it is
 * terminated.
 */
export const CLOSE_TIMEOUT_MS = 10_000;

/** How FeatBit's server refuses a connection. SDKs do not reconnect. */
export const REFUSAL = [4003, 'invalid request, close by server'] as const;

/** How it closes a connection that it cannot serve now. SDKs reconnect. */
export const UNAVAILABLE = [1011, 'service unavailable, close by server'] as const;

/** How a client that sends more than its budget is closed. Nothing more is read from it. SDKs reconnect. */
export const OVER_BUDGET = [1008, 'too many messages'] as const;

/** One WebSocket. */
export interface Transport {
  /** Bytes that the network has not accepted yet. */
  readonly bufferedBytes: number;
  /** Sends one text message. Does nothing once it is closed. */
  send(text: string): void;
  /** Closes it in order. Never with 1000, after which Go and .NET SDKs do not reconnect. */
  close(code: number, reason: string): void;
  /** Closes it without a close frame. */
  terminate(): void;
}

/** A resource that is kept open for a client. */
export type Connection = Pick<Transport, 'close' | 'terminate'>;

/** The events of a WebSocket. */
export interface TransportEvents {
  onMessage(text: string): void;
  /** A message that gets no answer from the service: a ping or pong of the WebSocket protocol. */
  onControl(bytes: number): void;
  /** The network has accepted all waiting bytes. */
  onDrain(): void;
  onClose(): void;
}

/** Called with each opened WebSocket, its query, and its client's address if that has a budget. Returns its event handlers. */
export type OnOpen = (transport: Transport, query: URLSearchParams, address: string | undefined) => TransportEvents;

/** Number of connections before other work has its turn. */
export const SLICE = 200;

/** Does something to each of many connections, and lets other work have its turn between. */
export async function forEachInTurns<T>(items: Iterable<T>, act: (item: T) => void): Promise<void> {
  let done = 0;
  for (const item of items) {
    act(item);
    if (++done % SLICE === 0) await turn();
  }
}

/** Closes connections with FeatBit's code for refusal. @param onClosed called for each */
export function closeAll(transports: Iterable<Connection>, onClosed: () => void = () => {}): Promise<void> {
  return forEachInTurns(transports, (transport) => {
    transport.close(...REFUSAL);
    onClosed();
  });
}
