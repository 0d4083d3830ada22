/**
 * What the functions measure, with CloudWatch's unit of each. The `websocket.*` names are those that FeatBit's users asked
 * of its evaluation server (featbit pull request 758); the others are what only a serverless deployment has.
 *
 * - `websocket.connections.total` accepted handshakes; `.active` +1 with each and −1 with each disconnect, so its running
 *   sum is the number of open ones; `.rejections` refused handshakes; `.errors` handshakes and syncs that failed by our
 *   fault; `.duration` from handshake to disconnect.
 * - `websocket.messages.processed` messages that reached a function (pings never do); `.size` their size; `.duration` time
 *   in the function; `.invalid` messages met with silence because they fit no rule.
 * - `sync.latency` from a data-sync's arrival at API Gateway to its answer, cold start and retries included.
 * - `push.sent` patches delivered; `push.gone` connections found gone by them; `push.failed` connections that could not be
 *   reached; `push.latency` from a change's writing until all of a shard's connections had it.
 */
export const METRIC_UNITS = {
  'websocket.connections.total': 'Count',
  'websocket.connections.active': 'Count',
  'websocket.connections.rejections': 'Count',
  'websocket.connections.errors': 'Count',
  'websocket.connections.duration': 'Milliseconds',
  'websocket.messages.processed': 'Count',
  'websocket.messages.invalid': 'Count',
  'websocket.messages.size': 'Bytes',
  'websocket.messages.duration': 'Milliseconds',
  'sync.latency': 'Milliseconds',
  'push.sent': 'Count',
  'push.gone': 'Count',
  'push.failed': 'Count',
  'push.latency': 'Milliseconds',
} as const;

/** The CloudWatch namespace of {@link METRIC_UNITS}. */
export const METRICS_NAMESPACE = 'Flagwire';

/** One name of {@link METRIC_UNITS}. */
export type MetricName = keyof typeof METRIC_UNITS;

/** Measured values by name. */
export type MetricValues = Partial<Record<MetricName, number>>;

/** What {@link recordMetrics} takes from its surroundings. */
export interface MetricsOptions {
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Unix milliseconds. */
  readonly now?: () => number;
  /** Takes one line with its line break. */
  readonly write?: (line: string) => unknown;
}

/**
 * Records values that belong to one event, as one line in CloudWatch's embedded metric format on standard output.
 * Lambda's log carries it to CloudWatch, which makes metrics of it: no request, nothing to wait for, nothing to fail.
 *
 * Outside of Lambda nobody reads the format, so nothing is written. The one dimension is the deployment's stage: a metric
 * is billed for each combination of dimensions, so an environment, user or connection must never become one.
 *
 * By hand because Powertools' metrics (2.36.0) take 10.5 KB, and the bundle of sync (395.6 KB) has 4.4 KB to go to its
 * limit; this takes 1 KB.
 *
 * @param values measured values by name; what is not a finite number is left out
 */
export function recordMetrics(
  values: Readonly<MetricValues>,
  { env = process.env, now = Date.now, write = (line) => process.stdout.write(line) }: MetricsOptions = {},
): void {
  const recorded = Object.entries(values).filter(([, value]) => Number.isFinite(value));
  if (recorded.length === 0 || !env['AWS_LAMBDA_FUNCTION_NAME']) return;
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
