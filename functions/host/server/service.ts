import type { Hono } from 'hono';
import type { ClientBudgets } from '../budgets/clientBudgets.ts';
import type { HostConfig } from '../settings/config.ts';
import type { OnOpen } from '../transport/transport.ts';
import type { TlsIdentity } from './tlsFiles.ts';

/** The servers of a port and their options. */
export interface Service {
  readonly config: Pick<
    HostConfig,
    'host' | 'port' | 'reusePort' | 'headersTimeoutMs' | 'unreadTimeoutMs' | 'compressMessages' | 'tls'
  >;
  /** The setting with the port, for the error message. */
  readonly portSetting: 'PORT' | 'METRICS_PORT';
  readonly app: Hono;
  readonly onOpen: OnOpen;
  readonly budgets: ClientBudgets;
  /** While unavailable, requests for a WebSocket get 503. @param address of the client, if that has a budget */
  readonly isUnavailable: (address: string | undefined) => boolean;
  /** Called with a changed certificate that is invalid. */
  readonly onFailed: (error: unknown) => void;
}

/** A served port. */
export interface Listener {
  readonly port: number;
  /** Uses another certificate for new connections. */
  renew(tls: TlsIdentity): void;
  /** Stops accepting connections. */
  close(): void;
  /** Closes the open connections. */
  endAll(): void;
}
