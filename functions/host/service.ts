import type { Hono } from 'hono';
import type { HostConfig } from './config.ts';
import type { TlsIdentity } from './tlsFiles.ts';
import type { OnOpen } from './transport.ts';

/** What is served on a port, and how. */
export interface Service {
  readonly config: Pick<HostConfig, 'host' | 'port' | 'reusePort' | 'headersTimeoutMs' | 'unreadTimeoutMs' | 'tls'>;
  /** The setting that the port is from, for the error message. */
  readonly portSetting: 'PORT' | 'METRICS_PORT';
  readonly app: Hono;
  readonly onOpen: OnOpen;
  /** While stopping, requests for a WebSocket are refused. */
  readonly isStopping: () => boolean;
  /** Called with a changed certificate that cannot be used. */
  readonly onFailed: (error: unknown) => void;
}

/** A port that is served. */
export interface Listener {
  readonly port: number;
  /** Takes another certificate for new connections. */
  renew(tls: TlsIdentity): void;
  /** Takes no more connections. */
  close(): void;
  /** Ends those that there are. */
  endAll(): void;
}
