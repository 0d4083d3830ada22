/** How long a peer may take to answer a close, and to end the connection after that, before it is cut off. */
export const CLOSE_TIMEOUT_MS = 10_000;

/** How FeatBit's server refuses a connection: SDKs do not come back. */
export const REFUSAL = [4003, 'invalid request, close by server'] as const;

/** How it closes a connection that it cannot serve now: SDKs come back. */
export const UNAVAILABLE = [1011, 'service unavailable, close by server'] as const;

/** One WebSocket. While the client has messages to read, nothing is read from it. */
export interface Transport {
  /** Bytes that the network has not taken yet. */
  readonly bufferedBytes: number;
  /** Sends one text message; nothing happens once it is closed. */
  send(text: string): void;
  /** Ends it in order. Never with 1000, after which Go and .NET SDKs do not come back. */
  close(code: number, reason: string): void;
  /** Ends it without a close frame. */
  terminate(): void;
}

/** Anything that is kept open for a client. */
export type Connection = Pick<Transport, 'close' | 'terminate'>;

/** What happens on a WebSocket. */
export interface TransportEvents {
  readonly onMessage: (text: string) => void;
  /** Everything that waited has been taken by the network. */
  readonly onDrain: () => void;
  readonly onClose: () => void;
}

/** Called with each WebSocket that has been opened, and its query; returns the handlers of its events. */
export type OnOpen = (transport: Transport, query: URLSearchParams) => TransportEvents;
