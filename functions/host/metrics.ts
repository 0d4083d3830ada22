import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

const SECONDS = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10];

/** The default metrics that walk all open sockets: with 10,000 of them a scrape blocked the process for 20 ms. */
const COSTLY = [
  'process_open_fds',
  ...['handles', 'requests', 'resources'].flatMap((kind) => [`nodejs_active_${kind}`, `nodejs_active_${kind}_total`]),
];

/**
 * The host's metrics for Prometheus, with the process's own (CPU, memory, event loop delay).
 *
 * @param current values that are read at each scrape: open connections, bytes that clients have not read yet, insight records
 *   lost so far, by reason
 */
export function createMetrics(
  current: {
    readonly connections: () => number;
    readonly unsentBytes: () => number;
    readonly lostInsights: () => Readonly<Record<string, number>>;
  },
  registry = new Registry(),
) {
  collectDefaultMetrics({ register: registry });
  for (const name of COSTLY) registry.removeSingleMetric(name);
  const registers = [registry];
  return {
    registry,
    connections: new Gauge({
      name: 'flagwire_connections',
      help: 'Open WebSocket connections',
      registers,
      collect() {
        this.set(current.connections());
      },
    }),
    unsent: new Gauge({
      name: 'flagwire_unsent_bytes',
      help: 'Bytes in memory that clients have not read yet',
      registers,
      collect() {
        this.set(current.unsentBytes());
      },
    }),
    opened: new Counter({ name: 'flagwire_connections_total', help: 'WebSocket connections opened', registers }),
    refused: new Counter({
      name: 'flagwire_connections_refused_total',
      help: 'Connections closed with 4003',
      registers,
    }),
    messages: new Counter({ name: 'flagwire_messages_total', help: 'Messages received', registers }),
    ignored: new Counter({
      name: 'flagwire_messages_ignored_total',
      help: 'Messages that got no answer because they are not valid',
      registers,
    }),
    failures: new Counter({
      name: 'flagwire_failures_total',
      help: 'Operations that failed, such as reads of the table',
      registers,
    }),
    syncSeconds: new Histogram({
      name: 'flagwire_sync_seconds',
      help: 'From a data-sync to its answer',
      buckets: SECONDS,
      registers,
    }),
    pushSeconds: new Histogram({
      name: 'flagwire_push_seconds',
      help: 'From a write to the last connection that received it',
      buckets: SECONDS,
      registers,
    }),
    pushes: new Counter({ name: 'flagwire_pushes_total', help: 'Changes sent, once for each connection', registers }),
    dropped: new Counter({
      name: 'flagwire_slow_consumers_dropped_total',
      help: 'Connections ended because they did not read their messages',
      registers,
    }),
    insightsLost: new Counter({
      name: 'flagwire_insights_lost_total',
      help: 'Insight records deleted with the oldest file, or refused (SDKs send those again)',
      labelNames: ['reason'],
      registers,
      collect() {
        this.reset();
        for (const [reason, count] of Object.entries(current.lostInsights())) this.inc({ reason }, count);
      },
    }),
    reads: new Counter({ name: 'flagwire_table_reads_total', help: 'Reads of an environment', registers }),
    tableReachedAt: new Gauge({
      name: 'flagwire_table_reached_timestamp_seconds',
      help: 'When the table was last read; snapshots may be as old as this',
      registers,
    }),
  };
}
