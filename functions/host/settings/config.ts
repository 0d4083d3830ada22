import { z } from 'zod';
import { requirement } from '../../../shared/command/requirement.ts';
import { MAX_READ_AGE_MS } from '../../../shared/store/table/commitWait.ts';

const milliseconds = z.coerce.number().int().positive();

const tableNeeded = 'a table name is required; take it from the outputs of the stack';

/** The environment variables that configure the host, with their descriptions for `--help`. */
export const hostSettings = z.object({
  FLAGS_TABLE: z.string(tableNeeded).min(1, tableNeeded).describe('name of the flags table. The Data stack outputs it'),
  CONNECTIONS_TABLE: z
    .string()
    .optional()
    .describe(
      'name of the connections table, where the host reports its connections for receipts. By default, the name that the service has recorded in the flags table',
    ),
  HOST: z.string().default('0.0.0.0').describe('address to listen on'),
  PORT: z.coerce.number().int().min(0).max(65_535).default(5100).describe('TCP port to listen on. 0 picks a free port'),
  REUSE_PORT: z
    .enum(['true', 'false'])
    .default('false')
    .describe(
      'whether several host processes may listen on the same port. The kernel distributes connections among them',
    ),
  POLL_INTERVAL_MS: milliseconds
    .min(10)
    .default(50)
    .describe('milliseconds between checks for changed flags, for each environment with open connections'),
  FAST_POLL_MS: z.coerce
    .number()
    .int()
    .min(0)
    .max(3_600_000)
    .default(60_000)
    .describe(
      'milliseconds after a change during which the host checks that environment for changes every 10 ms. 0 turns fast checks off',
    ),
  MAX_READ_AGE_MS: z.coerce
    .number()
    .int()
    .min(0)
    .max(MAX_READ_AGE_MS)
    .default(MAX_READ_AGE_MS)
    .describe(
      'maximum age in milliseconds of the table read that a data-sync uses. With 0, the host reads the table for each data-sync',
    ),
  HOST_NAMES: z
    .string()
    .regex(/^[^\s,]+(,[^\s,]+)*$/, 'separate names by commas, without spaces')
    .optional()
    .describe(
      'accepted host names of HTTP requests, separated by commas. Requests to other names get 403. By default, all names are accepted',
    ),
  METRICS_PORT: z.coerce
    .number()
    .int()
    .min(1)
    .max(65_535)
    .optional()
    .describe('TCP port that serves only /metrics. By default, PORT also serves /metrics'),
  TLS_CERT: z
    .string()
    .optional()
    .describe(
      'PEM file with the TLS certificate and its chain, for https and wss. The host reloads the file when it changes',
    ),
  TLS_KEY: z.string().optional().describe('PEM file with the private key of TLS_CERT'),
  HEADERS_TIMEOUT_MS: milliseconds
    .default(10_000)
    .describe(
      'time limit in milliseconds for a client to send the headers of a request. The limit for the body is three times as long',
    ),
  IDLE_TIMEOUT_MS: milliseconds
    .default(600_000)
    .describe(
      'milliseconds without a message after which the host closes a connection. The default equals the limit of API Gateway',
    ),
  DRAIN_MS: milliseconds
    .default(10_000)
    .describe('milliseconds over which the host closes its connections when it stops'),
  UNREAD_TIMEOUT_MS: milliseconds
    .default(30_000)
    .describe('milliseconds after which the host closes the connection of a client that does not read its data'),
  MAX_UNSENT_BYTES: z.coerce
    .number()
    .int()
    .min(64 * 1024)
    .default(64 * 1024 * 1024)
    .describe(
      'limit in bytes of unsent data in memory, for all clients together. Above it, replies wait in a queue. Received request bodies have a second limit of the same size',
    ),
  STATE_DIR: z
    .string()
    .optional()
    .describe(
      'folder for a copy of the latest flags and secrets. With a copy, the host can start while the table is unavailable',
    ),
  MAX_TABLE_OUTAGE_MS: milliseconds
    .min(100)
    .optional()
    .describe(
      'milliseconds of a table outage after which /health/readiness returns 503. The host still serves the flags that it read last',
    ),
  INSIGHT_STREAM: z.string().optional().describe('name of the Firehose stream for insight events'),
  INSIGHT_FILE: z
    .string()
    .optional()
    .describe(
      'file for insight events. Without INSIGHT_STREAM and INSIGHT_FILE, the file is insights.ndjson. Do not set both',
    ),
  USAGE_TABLE: z
    .string()
    .optional()
    .describe(
      'name of the table for counts of evaluations, or off. By default, the name that the service recorded in the flags table',
    ),
  MISSING_ATTRIBUTE: z
    .enum(['empty', 'no-match'])
    .default('empty')
    .describe('how conditions treat an attribute that a user lacks: as empty text, or as no match'),
});

/** The files of the certificate (with its chain) and of its key, in PEM. */
export interface TlsPaths {
  readonly cert: string;
  readonly key: string;
}

/** The host's configuration. {@link hostSettings} describes each setting. None of them is a secret. */
export interface HostConfig {
  readonly flagsTable: string;
  /** By default, the name in the flags table. */
  readonly connectionsTable?: string;
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
  /** The table for counts of evaluations, or `off`. If absent, the one that the service recorded. */
  readonly usageTable?: string;
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
  const given = { ...env, ...(unread === undefined ? {} : { UNREAD_TIMEOUT_MS: unread }) };
  const parsed = hostSettings.safeParse(given, { error: (issue) => requirement(issue) });
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
    ...(data.CONNECTIONS_TABLE ? { connectionsTable: data.CONNECTIONS_TABLE } : {}),
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
    ...(data.USAGE_TABLE ? { usageTable: data.USAGE_TABLE } : {}),
    insights: data.INSIGHT_STREAM ? { stream: data.INSIGHT_STREAM } : { file: data.INSIGHT_FILE ?? 'insights.ndjson' },
  };
}
