/** How long a peer may take to answer a close, and to end the connection after that, before it is cut off. */
export const CLOSE_PATIENCE_MS = 10_000;

/** How FeatBit's server closes a connection that may not be: SDKs do not come back. */
export const REFUSAL = [4003, 'invalid request, close by server'] as const;

/** How it closes one that cannot be served now: SDKs come back. */
export const UNAVAILABLE = [1011, 'service unavailable, close by server'] as const;

/** One WebSocket, whatever carries it. While the other side does not take what it was sent, nothing is read of it. */
export interface Transport {
  /** What waits to be taken by the network, in bytes. */
  readonly bufferedBytes: number;
  /** Sends one text message; nothing happens once it is closed. */
  send(text: string): void;
  /** Ends it in order. Never with 1000, after which Go and .NET SDKs do not come back. */
  close(code: number, reason: string): void;
  /** Ends it without a word. */
  terminate(): void;
}

/** What happens on a WebSocket. */
export interface TransportEvents {
  readonly onMessage: (text: string) => void;
  /** Everything that waited has been taken by the network. */
  readonly onDrain: () => void;
  readonly onClose: () => void;
}

/** Told of each WebSocket that has been opened, with its query; says what to do with what happens on it. */
export type OnOpen = (transport: Transport, query: URLSearchParams) => TransportEvents;
