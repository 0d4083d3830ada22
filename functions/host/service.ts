import type { Hono } from 'hono';
import type { HostConfig } from './config.ts';
import type { OnOpen } from './transport.ts';

/** What is served on a port, and how. */
export interface Service {
  readonly config: Pick<HostConfig, 'host' | 'port' | 'reusePort' | 'headersTimeoutMs' | 'unreadPatienceMs'>;
  readonly app: Hono;
  readonly onOpen: OnOpen;
  /** While stopping, requests for a WebSocket are refused. */
  readonly isStopping: () => boolean;
}

/** A port that is served. */
export interface Listening {
  readonly port: number;
  /** Takes no more connections. */
  close(): void;
  /** Ends those that there are. */
  endAll(): void;
}
