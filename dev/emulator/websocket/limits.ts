/** API Gateway's fixed quotas of a WebSocket connection. Tests can lower them. */
export interface WebSocketLimits {
  /** Largest payload of one frame from the client, in bytes. */
  readonly frameBytes: number;
  /** Largest message in either direction, in bytes. */
  readonly messageBytes: number;
  /** A connection without a message in either direction is closed after this. */
  readonly idleMs: number;
  /** A connection is closed after this, whatever happens on it. */
  readonly lifetimeMs: number;
  /** Unsent bytes towards one client from which on its buffer counts as full. AWS does not say its own figure. */
  readonly bufferedBytes: number;
}

/** The quotas of WebSocket APIs (API Gateway developer guide, "Quotas for configuring and running a WebSocket API"). */
export const awsLimits: WebSocketLimits = {
  frameBytes: 32 * 1024,
  messageBytes: 128 * 1024,
  idleMs: 10 * 60 * 1000,
  lifetimeMs: 2 * 60 * 60 * 1000,
  bufferedBytes: 1024 * 1024,
};

/** Default reasons of close codes. */
export const closeReasons = {
  1000: 'Connection Closed Normally',
  1001: 'Going away',
  1003: 'Unsupported data',
  1005: 'Client-side close frame status not set',
  1006: 'Connection closed abnormally',
  1009: 'Message too long',
} as const;
