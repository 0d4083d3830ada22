import { systemEffects } from '../../shared/runtime/effects.ts';

/**
 * The metrics of the functions, with their CloudWatch units. CloudWatch bills each metric by the hour in which it is recorded. Ten are
 * free in an account, so there are ten, and one of front doors. Those of `TROUBLE` are recorded only if there is a problem. AWS measures calls and durations of
 * functions, throttles and ages of queues for free. FeatBit's users proposed the `websocket.*` names (featbit pull request 758).
 *
 * - `websocket.connections.total` accepted handshakes; `.errors` handshakes and data-syncs that failed with an error; `.duration`
 *   from handshake to disconnect.
 * - `websocket.messages.invalid` messages that got no answer because they are not valid.
 * - `sync.latency` from a data-sync's arrival at API Gateway to its reply, cold start and retries included.
 * - `push.sent` patches sent; `push.failed` patches that could not be sent; `push.latency` from the write of a change until all
 *   connections of a shard had it; `push.unreadable` records of the table's stream that were set aside because they cannot be read, and flags
 *   and segments that no message can carry or whose key ends processes; each instance counts those when it reads them.
 * - `healed.waiting` connections that were not answered, or could not be sent a change, in time, and that were left to the next
 *   minute.
 * - `tier.unhealthy` the machine behind the front door is unhealthy, although its host is wanted.
 */
export const METRIC_UNITS = {
  'websocket.connections.total': 'Count',
  'websocket.connections.errors': 'Count',
  'websocket.connections.duration': 'Milliseconds',
  'websocket.messages.invalid': 'Count',
  'sync.latency': 'Milliseconds',
  'push.sent': 'Count',
  'push.failed': 'Count',
  'push.latency': 'Milliseconds',
  'push.unreadable': 'Count',
  'healed.waiting': 'Count',
  'tier.unhealthy': 'Count',
} as const;

/** Those of {@link METRIC_UNITS} that are recorded only when something is wrong. */
export const TROUBLE = [
  'websocket.connections.errors',
  'websocket.messages.invalid',
  'push.failed',
  'push.unreadable',
  'healed.waiting',
  'tier.unhealthy',
] as const satisfies readonly MetricName[];

/** The CloudWatch namespace of {@link METRIC_UNITS}. */
export const METRICS_NAMESPACE = 'Flagwire';

/** A name of {@link METRIC_UNITS}. */
export type MetricName = keyof typeof METRIC_UNITS;

/** Measured values by name. */
export type MetricValues = Partial<Record<MetricName, number>>;

/** What {@link recordMetrics} uses of the process. */
interface MetricsOptions {
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Unix milliseconds. */
  readonly now?: () => number;
  /** Writes one line with its line break. */
  readonly write?: (line: string) => unknown;
}

/**
 * Records the values of one event, as one line in CloudWatch's embedded metric format on standard output. Lambda's log
 * carries it to CloudWatch, which makes metrics of it, so that nothing is requested and nothing can fail.
 *
 * Nothing is written outside of Lambda. The only dimension is the deployment's stage: a metric is billed for each
 * combination of dimensions, so an environment, user or connection must never become one.
 *
 * Powertools' metrics do the same, and take ten times as much of a function's bundle.
 *
 * @param values by name; those that are not a finite number are left out
 */
export function recordMetrics(
  values: Readonly<MetricValues>,
  { env = process.env, now = systemEffects.now, write = (line) => process.stdout.write(line) }: MetricsOptions = {},
): void {
  const recorded = Object.entries(values).filter(([, value]) => Number.isFinite(value));
  if (recorded.length === 0 || !env['AWS_LAMBDA_LOG_GROUP_NAME']) return;
  const definition = {
    Namespace: METRICS_NAMESPACE,
    Dimensions: [['Stage']],
    Metrics: recorded.map(([name]) => ({ Name: name, Unit: METRIC_UNITS[name as MetricName] })),
  };
  const line = {
    _aws: { Timestamp: now(), CloudWatchMetrics: [definition] },
    Stage: env['STAGE'] ?? 'unknown',
    ...Object.fromEntries(recorded),
  };
  write(`${JSON.stringify(line)}\n`);
}
