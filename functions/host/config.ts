import { z } from 'zod';
import { MAX_READ_AGE_MS } from '../../shared/store/commitWait.ts';

const milliseconds = z.coerce.number().int().positive();

const tableNeeded = 'a table name is required; take it from the outputs of the stack';

/** The environment variables that configure the host, with their descriptions for `--help`. */
export const hostSettings = z.object({
  FLAGS_TABLE: z
    .string(tableNeeded)
    .min(1, tableNeeded)
    .describe('name of the flags table, an output of the Data stack'),
  HOST: z.string().default('0.0.0.0').describe('address to listen on'),
  PORT: z.coerce.number().int().min(0).max(65_535).default(5100).describe('TCP port to listen on. 0 picks a free port'),
  REUSE_PORT: z
    .enum(['true', 'false'])
    .default('false')
    .describe(
      'whether several processes may share the port, one for each processor. The kernel distributes connections',
    ),
  POLL_INTERVAL_MS: milliseconds
    .min(10)
    .default(50)
    .describe('milliseconds between reads of the version of an environment that has connections'),
  FAST_POLL_MS: z.coerce
    .number()
    .int()
    .min(0)
    .max(3_600_000)
    .default(60_000)
    .describe(
      'milliseconds after a change during which its environment is read every 10 ms, because another change is likely. 0 turns this off',
    ),
  MAX_READ_AGE_MS: z.coerce
    .number()
    .int()
    .min(0)
    .max(MAX_READ_AGE_MS)
    .default(MAX_READ_AGE_MS)
    .describe(
      'milliseconds for which a read of the table serves data-syncs; writes are acknowledged later than that. 0 reads for each',
    ),
  HOST_NAMES: z
    .string()
    .regex(/^[^\s,]+(,[^\s,]+)*$/, 'separate names by commas, without spaces')
    .optional()
    .describe(
      'host names that HTTP requests may use, separated by commas. Others get 403. Without it, any name is allowed',
    ),
  METRICS_PORT: z.coerce
    .number()
    .int()
    .min(1)
    .max(65_535)
    .optional()
    .describe('TCP port for /metrics only. Without it, /metrics is on the port of the service'),
  TLS_CERT: z
    .string()
    .optional()
    .describe(
      'file with the certificate and its chain in PEM, to serve https and wss. It is read again when it changes',
    ),
  TLS_KEY: z.string().optional().describe('file with the key of TLS_CERT, in PEM'),
  HEADERS_TIMEOUT_MS: milliseconds
    .default(10_000)
    .describe('milliseconds a client may take to send the head of a request. The body may take three times as long'),
  IDLE_TIMEOUT_MS: milliseconds
    .default(600_000)
    .describe(
      'milliseconds without a message after which a connection is closed. API Gateway closes after ten minutes',
    ),
  DRAIN_MS: milliseconds.default(10_000).describe('milliseconds over which connections are closed when the host stops'),
  UNREAD_TIMEOUT_MS: milliseconds
    .default(30_000)
    .describe('milliseconds a client may leave sent data unread before its connection is closed'),
  MAX_UNSENT_BYTES: z.coerce
    .number()
    .int()
    .min(64 * 1024)
    .default(64 * 1024 * 1024)
    .describe(
      'bytes that may wait in memory for all clients together before replies queue. Received bodies have a separate limit of the same size',
    ),
  STATE_DIR: z
    .string()
    .optional()
    .describe('folder for the last known flags and secrets, so that the host can start while the table is unavailable'),
  MAX_TABLE_OUTAGE_MS: milliseconds
    .min(100)
    .optional()
    .describe('milliseconds the table may not answer before /health/readiness is 503. Known flags are still served'),
  INSIGHT_STREAM: z.string().optional().describe('name of the Firehose stream for insight events'),
  INSIGHT_FILE: z
    .string()
    .optional()
    .describe('file for insight events, insights.ndjson unless INSIGHT_STREAM is set. Set only one of the two'),
  MISSING_ATTRIBUTE: z
    .enum(['empty', 'no-match'])
    .default('empty')
    .describe('how a condition treats an attribute that the user does not have'),
});

/** The files of the certificate (with its chain) and of its key, in PEM. */
export interface TlsPaths {
  readonly cert: string;
  readonly key: string;
}

/** The host's configuration. {@link hostSettings} describes each setting. None of them is a secret. */
export interface HostConfig {
  readonly flagsTable: string;
  readonly host: string;
  readonly port: number;
  /** In lower case. */
  readonly hostNames?: readonly string[];
  readonly reusePort: boolean;
  readonly metricsPort?: number;
  /** Files for TLS. Without them, a proxy must terminate TLS. */
  readonly tls?: TlsPaths;
  readonly pollIntervalMs: number;
  readonly fastPollMs: number;
  readonly maxReadAgeMs: number;
  readonly headersTimeoutMs: number;
  readonly idleTimeoutMs: number;
  readonly drainMs: number;
  readonly unreadTimeoutMs: number;
  readonly maxUnsentBytes: number;
  readonly stateDir?: string;
  readonly maxTableOutageMs?: number;
  readonly missingAttribute: 'empty' | 'no-match';
  /** The destination of insight events: a Firehose stream, or a file. */
  readonly insights: { readonly stream: string } | { readonly file: string };
}

/** An invalid setting. The message names the variable. */
export class HostConfigError extends Error {
  override name = 'HostConfigError';
}

/** @throws {HostConfigError} with the first invalid variable */
export function readHostConfig(env: Readonly<Record<string, string | undefined>>): HostConfig {
  // The former name of the setting.
  const unread = env['UNREAD_TIMEOUT_MS'] ?? env['UNREAD_PATIENCE_MS'];
  const parsed = hostSettings.safeParse({ ...env, ...(unread === undefined ? {} : { UNREAD_TIMEOUT_MS: unread }) });
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const name = String(issue?.path[0]);
    throw new HostConfigError(`${name}${env[name] === undefined ? '' : `=${env[name]}`} is invalid: ${issue?.message}`);
  }
  const { data } = parsed;
  if (data.INSIGHT_STREAM && data.INSIGHT_FILE) {
    throw new HostConfigError(
      'INSIGHT_STREAM and INSIGHT_FILE cannot both be set: choose one destination for insight events',
    );
  }
  if (Boolean(data.TLS_CERT) !== Boolean(data.TLS_KEY)) {
    throw new HostConfigError('set both TLS_CERT and TLS_KEY, or neither');
  }
  return {
    flagsTable: data.FLAGS_TABLE,
    host: data.HOST,
    port: data.PORT,
    reusePort: data.REUSE_PORT === 'true',
    pollIntervalMs: data.POLL_INTERVAL_MS,
    fastPollMs: data.FAST_POLL_MS,
    maxReadAgeMs: data.MAX_READ_AGE_MS,
    ...(data.HOST_NAMES ? { hostNames: data.HOST_NAMES.toLowerCase().split(',') } : {}),
    ...(data.METRICS_PORT ? { metricsPort: data.METRICS_PORT } : {}),
    ...(data.TLS_CERT && data.TLS_KEY ? { tls: { cert: data.TLS_CERT, key: data.TLS_KEY } } : {}),
    headersTimeoutMs: data.HEADERS_TIMEOUT_MS,
    idleTimeoutMs: data.IDLE_TIMEOUT_MS,
    drainMs: data.DRAIN_MS,
    unreadTimeoutMs: data.UNREAD_TIMEOUT_MS,
    maxUnsentBytes: data.MAX_UNSENT_BYTES,
    ...(data.STATE_DIR ? { stateDir: data.STATE_DIR } : {}),
    ...(data.MAX_TABLE_OUTAGE_MS ? { maxTableOutageMs: data.MAX_TABLE_OUTAGE_MS } : {}),
    missingAttribute: data.MISSING_ATTRIBUTE,
    insights: data.INSIGHT_STREAM ? { stream: data.INSIGHT_STREAM } : { file: data.INSIGHT_FILE ?? 'insights.ndjson' },
  };
}
