import { z } from 'zod';
import { requirement } from '../../../shared/command/requirement.ts';
import { MAX_READ_AGE_MS } from '../../../shared/store/table/commitWait.ts';

const wholeNumber = z.coerce.number().int();
const milliseconds = wholeNumber.positive();
const yesOrNo = z.enum(['true', 'false']);
const SWITCHES = ['REUSE_PORT', 'HEARTBEAT', 'COMPRESS_MESSAGES'];

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
  PORT: wholeNumber.min(0).max(65_535).default(5100).describe('TCP port to listen on. 0 picks a free port'),
  REUSE_PORT: yesOrNo
    .default('false')
    .describe(
      'whether several host processes may listen on the same port. The kernel distributes connections among them',
    ),
  POLL_INTERVAL_MS: milliseconds
    .min(10)
    .default(50)
    .describe('milliseconds between checks for changed flags, for each environment with open connections'),
  FAST_POLL_MS: wholeNumber
    .min(0)
    .max(3_600_000)
    .default(60_000)
    .describe(
      'milliseconds after a change during which the host checks that environment for changes every 10 ms. 0 turns fast checks off',
    ),
  MAX_READ_AGE_MS: wholeNumber
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
  METRICS_PORT: wholeNumber
    .min(1)
    .max(65_535)
    .optional()
    .describe('TCP port that serves only /metrics. By default, PORT also serves /metrics, unless TLS_CERT is set'),
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
  MAX_CONNECTIONS: wholeNumber
    .positive()
    .optional()
    .describe(
      'maximum number of open connections. Above it, the host answers handshakes with 503. By default, 90 % of the files that the process can open',
    ),
  HEARTBEAT: yesOrNo
    .default('false')
    .describe(
      'whether the host writes a heartbeat into the flags table every 30 s. A front door sends handshakes to API Gateway first if there is none',
    ),
  MAX_MESSAGES_PER_SECOND: wholeNumber
    .min(5)
    .default(20)
    .describe(
      'messages a second of one connection, on average. The messages of ten seconds may come at once. Each KB counts as a message, and a data-sync as ten. Above it, the host closes the connection with 1008',
    ),
  BUDGETS_PER_ADDRESS: wholeNumber
    .min(0)
    .default(100)
    .describe(
      'for how many connections the messages and HTTP requests of one client address may count. It may have ten times as many requests in progress. 0 turns limits for addresses off. Private addresses have none',
    ),
  TRUSTED_PROXIES: wholeNumber
    .min(0)
    .max(10)
    .default(0)
    .describe(
      'number of proxies in front of the host that append to X-Forwarded-For. By default, the address of a client is the one that connects',
    ),
  DRAIN_MS: milliseconds
    .default(10_000)
    .describe('milliseconds over which the host closes its connections when it stops'),
  UNREAD_TIMEOUT_MS: milliseconds
    .default(30_000)
    .describe('milliseconds after which the host closes the connection of a client that does not read its data'),
  MAX_UNSENT_BYTES: wholeNumber
    .min(64 * 1024)
    .default(64 * 1024 * 1024)
    .describe(
      'limit in bytes of unsent data in memory, for all clients together. Above it, replies wait in a queue. Received request bodies have a second limit of the same size',
    ),
  COMPRESS_MESSAGES: yesOrNo
    .default('true')
    .describe(
      'whether WebSocket messages of 4 KB or more are compressed for clients that support it. Has no effect on Node',
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
      'milliseconds of a table outage after which /health/readiness and handshakes get 503. Open connections and HTTP requests still get the flags that it read last',
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

/** A setting's name in the configuration, such as `flagsTable` for `FLAGS_TABLE`. */
type CamelCase<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${Lowercase<First>}${Capitalize<CamelCase<Rest>>}`
  : Lowercase<Name>;

type Variables = z.output<typeof hostSettings>;
/** The value of a setting that is set or has a default. */
type Value<T> = T extends 'true' | 'false' ? boolean : Exclude<T, undefined>;
type Settings = { readonly [Name in keyof Variables as CamelCase<Name>]: Value<Variables[Name]> };
type Converted = 'hostNames' | 'tlsCert' | 'tlsKey' | 'insightStream' | 'insightFile';

/** The host's configuration. {@link hostSettings} describes each setting. None of them is a secret. */
export interface HostConfig extends Omit<Settings, Converted> {
  /** In lower case. */
  readonly hostNames?: readonly string[];
  /** Files for TLS. Without them, a proxy must terminate TLS. */
  readonly tls?: TlsPaths;
  /** The destination of insight events: a Firehose stream, or a file. */
  readonly insights: { readonly stream: string } | { readonly file: string };
}

/** An invalid setting. The message names the variable. */
export class HostConfigError extends Error {
  override name = 'HostConfigError';
}

/** @throws {HostConfigError} with the first invalid variable */
export function readHostConfig(env: Readonly<Record<string, string | undefined>>): HostConfig {
  const parsed = hostSettings.safeParse(env, { error: (issue) => requirement(issue) });
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const name = String(issue?.path[0]);
    throw new HostConfigError(`${name}${env[name] === undefined ? '' : `=${env[name]}`} is invalid: ${issue?.message}`);
  }
  const { hostNames, tlsCert, tlsKey, insightStream, insightFile, ...settings } = camelCased(parsed.data);
  if (insightStream && insightFile) {
    throw new HostConfigError(
      'INSIGHT_STREAM and INSIGHT_FILE cannot both be set: choose one destination for insight events',
    );
  }
  if (Boolean(tlsCert) !== Boolean(tlsKey)) throw new HostConfigError('set both TLS_CERT and TLS_KEY, or neither');
  return {
    ...settings,
    ...(hostNames ? { hostNames: hostNames.toLowerCase().split(',') } : {}),
    ...(tlsCert && tlsKey ? { tls: { cert: tlsCert, key: tlsKey } } : {}),
    insights: insightStream ? { stream: insightStream } : { file: insightFile ?? 'insights.ndjson' },
  };
}

/** Leaves out empty values. */
function camelCased(variables: Variables): Settings {
  const present = Object.entries(variables).filter(([, value]) => value !== undefined && value !== '');
  const camelCase = (name: string) => name.toLowerCase().replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
  const converted = (name: string, value: unknown) => (SWITCHES.includes(name) ? value === 'true' : value);
  const settings = present.map(([name, value]) => [camelCase(name), converted(name, value)]);
  return Object.fromEntries(settings) as unknown as Settings;
}
