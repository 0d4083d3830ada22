import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import packageJson from '../../../package.json' with { type: 'json' };

const SECONDS = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10];

/** Default metrics that walk all open sockets. With 10,000 sockets, a scrape blocked the process for 20 ms. */
const COSTLY = [
  'process_open_fds',
  ...['handles', 'requests', 'resources'].flatMap((kind) => [`nodejs_active_${kind}`, `nodejs_active_${kind}_total`]),
];

/**
 * Milliseconds between samples of the event loop's delay. With the default of 10, those of Bun cost an idle host 6 ms of CPU a second.
 * Node.js adds this time to each sample.
 */
const LOOP_SAMPLE_MS = process.versions.bun ? 100 : 10;

/** Metrics whose values are read at each scrape. */
interface CurrentValues {
  readonly connections: () => number;
  readonly unsentBytes: () => number;
  /** Number of environments without a report. */
  readonly unreported: () => number;
  /** Number of records by reason. */
  readonly lostInsights: () => Readonly<Record<string, number>>;
  readonly droppedUsage: () => number;
}

/** The host's metrics for Prometheus, and the process's (CPU, memory, event loop delay). */
export function createMetrics(registry = new Registry()) {
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LOOP_SAMPLE_MS });
  for (const name of COSTLY) registry.removeSingleMetric(name);
  const registers = [registry];
  const counter = (name: string, help: string, ...labelNames: string[]) =>
    new Counter({ name, help, labelNames, registers });
  const histogram = (name: string, help: string, ...labelNames: string[]) =>
    new Histogram({ name, help, labelNames, buckets: SECONDS, registers });
  const gauge = (name: string, help: string, value: () => number) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(value());
      },
    });
  const { bun, node } = process.versions;
  new Gauge({
    name: 'flagwire_build_info',
    help: 'What answers: always 1',
    labelNames: ['version', 'runtime', 'runtime_version'],
    registers,
  }).set({ version: packageJson.version, runtime: bun ? 'bun' : 'node', runtime_version: bun ?? node }, 1);
  // Registered on first use. A value of 0 would look like an age of decades.
  const tableReachedAt = new Gauge({
    name: 'flagwire_table_reached_timestamp_seconds',
    help: 'When the table was last read, the maximum age of snapshots',
    registers: [],
  });
  return {
    registry,
    http: histogram('flagwire_http_seconds', 'From an HTTP request to the head of its response', 'route', 'status'),
    /** Adds the metrics that are read at each scrape. */
    addCurrent(current: CurrentValues) {
      gauge('flagwire_connections', 'Open WebSocket connections and event streams', current.connections);
      gauge('flagwire_unsent_bytes', 'Bytes in memory that clients have not read yet', current.unsentBytes);
      gauge(
        'flagwire_unreported_environments',
        'Environments whose connections are missing in receipts',
        current.unreported,
      );
      new Counter({
        name: 'flagwire_insights_lost_total',
        help: 'Insight records deleted with the oldest file, or refused (SDKs retry these)',
        labelNames: ['reason'],
        registers,
        collect() {
          this.reset();
          for (const [reason, count] of Object.entries(current.lostInsights())) this.inc({ reason }, count);
        },
      });
      new Counter({
        name: 'flagwire_usage_dropped_total',
        help: 'Evaluations that were not counted',
        registers,
        collect() {
          this.reset();
          this.inc(current.droppedUsage());
        },
      });
    },
    /** @param at unix seconds */
    tableReached(at: number) {
      registry.registerMetric(tableReachedAt);
      tableReachedAt.set(at);
    },
    opened: counter('flagwire_connections_opened_total', 'WebSocket connections opened'),
    refused: counter('flagwire_connections_refused_total', 'Connections closed with 4003, and event streams refused'),
    skewed: counter('flagwire_connections_skewed_total', 'Connections closed because the clock of the client is wrong'),
    overBudget: counter(
      'flagwire_over_budget_total',
      'Connections closed with 1008, and requests refused with 429 or 503, because a client used up its budget',
      'limit',
    ),
    messages: counter('flagwire_messages_total', 'Messages received'),
    ignored: counter('flagwire_messages_ignored_total', 'Invalid messages, which get no answer'),
    failures: counter('flagwire_failures_total', 'Failed operations, such as table reads'),
    syncSeconds: histogram('flagwire_sync_seconds', 'From a data-sync to its answer'),
    pushSeconds: histogram('flagwire_push_seconds', 'From a write to the last connection that received it'),
    pushes: counter('flagwire_pushes_total', 'Changes sent, once for each connection'),
    dropped: counter(
      'flagwire_slow_consumers_dropped_total',
      'Connections closed because the client did not read its messages',
    ),
    reportFailures: counter('flagwire_report_failures_total', 'Reports for receipts that could not be written'),
    reads: counter('flagwire_table_reads_total', 'Reads of an environment'),
  };
}
