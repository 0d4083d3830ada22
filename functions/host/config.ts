import { z } from 'zod';

const milliseconds = z.coerce.number().int().positive();

const tableNeeded = 'is required: take it from the outputs of the stack, or run npm start in this folder';

const schema = z.object({
  FLAGS_TABLE: z.string(tableNeeded).min(1, tableNeeded),
  HOST: z.string().default('0.0.0.0'),
  PORT: z.coerce.number().int().min(0).max(65_535).default(5100),
  REUSE_PORT: z.enum(['true', 'false']).default('false'),
  POLL_INTERVAL_MS: milliseconds.min(10).default(50),
  HEADERS_TIMEOUT_MS: milliseconds.default(10_000),
  IDLE_TIMEOUT_MS: milliseconds.default(600_000),
  DRAIN_MS: milliseconds.default(10_000),
  UNREAD_PATIENCE_MS: milliseconds.default(30_000),
  MAX_UNSENT_BYTES: z.coerce
    .number()
    .int()
    .min(64 * 1024)
    .default(64 * 1024 * 1024),
  STATE_DIR: z.string().optional(),
  INSIGHT_STREAM: z.string().optional(),
  INSIGHT_FILE: z.string().optional(),
  MISSING_ATTRIBUTE: z.enum(['empty', 'no-match']).default('empty'),
});

/** How the host is set up, by environment variables; none of them is a secret. */
export interface HostConfig {
  readonly flagsTable: string;
  /** Address and port that it listens on; port 0 takes a free one. */
  readonly host: string;
  readonly port: number;
  /** Whether several processes may listen on the port; the kernel divides connections among them. */
  readonly reusePort: boolean;
  /** How often the version of an environment with connections is read. */
  readonly pollIntervalMs: number;
  /** How long a client may take to send the headers of a request. */
  readonly headersTimeoutMs: number;
  /** How long a connection may send nothing before it is closed; ten minutes, as on API Gateway. */
  readonly idleTimeoutMs: number;
  /** Over how long connections are closed when the host is told to stop. */
  readonly drainMs: number;
  /** How long a client may read nothing while messages wait for it, before its connection is ended. */
  readonly unreadPatienceMs: number;
  /** The most that may wait in memory to be read by clients, over all connections, before replies queue. */
  readonly maxUnsentBytes: number;
  /** Where the last known state is saved, to start from while the table is down; nothing is saved without it. */
  readonly stateDir?: string;
  readonly missingAttribute: 'empty' | 'no-match';
  /** Where insight events go: a Firehose stream, or a file. */
  readonly insights: { readonly stream: string } | { readonly file: string };
}

/** A setting that cannot be used; the message names the variable. */
export class HostConfigError extends Error {
  override name = 'HostConfigError';
}

/** @throws {HostConfigError} naming the first variable that is not valid */
export function readHostConfig(env: Readonly<Record<string, string | undefined>>): HostConfig {
  const parsed = schema.safeParse(env);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const name = String(issue?.path[0]);
    throw new HostConfigError(
      `${name}${env[name] === undefined ? '' : `=${env[name]}`} cannot be used: ${issue?.message}`,
    );
  }
  const { data } = parsed;
  if (data.INSIGHT_STREAM && data.INSIGHT_FILE) {
    throw new HostConfigError('INSIGHT_STREAM and INSIGHT_FILE cannot both be set: name one place for insight events');
  }
  return {
    flagsTable: data.FLAGS_TABLE,
    host: data.HOST,
    port: data.PORT,
    reusePort: data.REUSE_PORT === 'true',
    pollIntervalMs: data.POLL_INTERVAL_MS,
    headersTimeoutMs: data.HEADERS_TIMEOUT_MS,
    idleTimeoutMs: data.IDLE_TIMEOUT_MS,
    drainMs: data.DRAIN_MS,
    unreadPatienceMs: data.UNREAD_PATIENCE_MS,
    maxUnsentBytes: data.MAX_UNSENT_BYTES,
    ...(data.STATE_DIR ? { stateDir: data.STATE_DIR } : {}),
    missingAttribute: data.MISSING_ATTRIBUTE,
    insights: data.INSIGHT_STREAM ? { stream: data.INSIGHT_STREAM } : { file: data.INSIGHT_FILE ?? 'insights.ndjson' },
  };
}
