import type { Hono } from 'hono';
import type { Effects } from '../../shared/runtime/effects.ts';
import type { KnownKeys } from '../../shared/store/authenticate.ts';
import type { DocumentReader } from '../../shared/store/documents/documents.ts';
import type { SnapshotSource } from '../../shared/store/snapshots/snapshotCache.ts';
import type { InsightSink } from '../http/insight.ts';
import { ClientBudgets } from './budgets/clientBudgets.ts';
import { connectionLimit } from './connections/connectionLimit.ts';
import { eventStreamRoute } from './connections/eventStream.ts';
import { Grants } from './connections/grants.ts';
import { createOpenConnections } from './connections/openConnections.ts';
import { type ConnectionDeps, ServedConnection } from './connections/serveConnection.ts';
import { Feeds } from './feeds/feeds.ts';
import { PushReports, type PushReportsDeps } from './feeds/pushReports.ts';
import { SendBudget } from './feeds/sendBudget.ts';
import { hostEvents } from './hostEvents.ts';
import { createBodyBudget } from './http/bodyBudget.ts';
import { budgetedBodies } from './http/budgetedBodies.ts';
import { createHostApp, createMetricsApp, onlyByNames } from './http/hostApp.ts';
import { createMetrics } from './http/metrics.ts';
import type { HostUsage } from './insights/hostUsage.ts';
import type { LastKnownState } from './offline/lastKnownState.ts';
import { measureOutage } from './offline/tableOutage.ts';
import { inTime, READ_TIMEOUT_MS } from './offline/tableWait.ts';
import { compression } from './server/compression.ts';
import { type ListeningPort, listen } from './server/listen.ts';
import type { Service } from './server/service.ts';
import type { HostConfig } from './settings/config.ts';

/** Dependencies of the host. */
export interface HostDeps {
  readonly config: Omit<
    HostConfig,
    'flagsTable' | 'connectionsTable' | 'usageTable' | 'heartbeat' | 'insights' | 'stateDir' | 'missingAttribute'
  >;
  readonly keys: KnownKeys;
  /** What it reads from the table. */
  readonly store: {
    readonly documents: Pick<DocumentReader, 'missed'>;
    readonly snapshots: SnapshotSource;
    /** Lists the environments. @throws if the table cannot be reached */
    readonly environments: () => Promise<readonly string[]>;
  };
  readonly insights: InsightSink;
  /** Counts evaluations. If absent, they are not counted. */
  readonly usage?: HostUsage;
  /** The saved state of an earlier process. If absent, nothing is saved. */
  readonly lastKnown?: LastKnownState;
  readonly effects: Effects;
  /** Where reports for receipts are written. If absent, the host writes none. */
  readonly reports?: Pick<PushReportsDeps, 'process' | 'open' | 'notes'>;
}

/** A running host. */
export interface Host {
  readonly port: number;
  /** Ends once the host has noted itself for receipts. Rejects if it has no permission for it, with which it must not go on. */
  readonly noted: Promise<void>;
  /** Stops accepting connections, closes open ones with 1001 over the configured time, and ends. */
  stop(): Promise<void>;
}

/** Factor of a body's time limit over that of a request's head. */
const BODY_TIMEOUT_FACTOR = 3;

/**
 * Starts the service as one process. One port serves WebSockets under `/streaming`, the HTTP endpoints, health and
 * metrics.
 */
export async function startHost(deps: HostDeps): Promise<Host> {
  const { config, keys, store, lastKnown, effects, insights, usage } = deps;
  const { now, monotonic } = effects;
  const metrics = createMetrics();
  const events = hostEvents(metrics, now);
  const { onFailed, onTableAnswered } = events;
  const outage = measureOutage(
    { ask: store.environments, onAnswered: onTableAnswered, onFailed, now: monotonic },
    config.maxTableOutageMs,
  );
  const feeds = new Feeds({
    effects,
    documents: store.documents,
    snapshots: store.snapshots,
    lastKnown,
    maxReadAgeMs: config.maxReadAgeMs,
    pollIntervalMs: config.pollIntervalMs,
    fastPollMs: config.fastPollMs,
    events,
    onPolled: (error) => (error ? onFailed(error) : outage.answered()),
  });
  const reports =
    deps.reports &&
    new PushReports({
      ...deps.reports,
      report: (envId) => feeds.report(envId),
      effects,
      onFailed: events.onReportFailed,
    });
  const open = createOpenConnections(config.idleTimeoutMs, config.maxUnsentBytes, monotonic);
  const mostConnections = connectionLimit(config.maxConnections);
  const budgets = new ClientBudgets(config, mostConnections, monotonic, events.onExceeded);
  const sendBudget = new SendBudget(config.maxUnsentBytes, monotonic);
  metrics.addCurrent({
    connections: () => open.size,
    unsentBytes: () => sendBudget.totalBytes,
    unreported: () => reports?.unreported ?? 0,
    lostInsights: () => insights.lost ?? {},
    droppedUsage: () => usage?.dropped ?? 0,
  });

  let isStopping = false;
  let isReady = false;
  const hasSavedFlags = lastKnown?.knowsAny ?? false;
  const environments = lastKnown ? lastKnown.tidying(store.environments) : store.environments;
  const load = async () => {
    await feeds.preload(await environments());
    isReady = true;
  };
  let loading: Promise<void> | undefined;
  const preload = () => {
    loading ??= load().finally(() => {
      loading = undefined;
    });
    return loading;
  };
  const checkReadiness = async () => {
    if (isStopping) throw new Error('the host is stopping');
    try {
      if (!isReady) await inTime(effects, preload(), READ_TIMEOUT_MS);
    } catch (error) {
      // Flags of an earlier process are served while the table does not answer.
      if (!hasSavedFlags) throw error;
      isReady = true;
    }
    // Once ready, it stays ready: while the table is down, it serves its snapshots for the configured time.
    outage.requireAnswer();
  };

  const { relays } = keys;
  const secrets = lastKnown ? lastKnown.secrets.remembering(keys.secrets, effects) : keys.secrets;
  const grants = new Grants({ secrets, now, events });
  const relayGrants = new Grants({ secrets: relays, now, events });
  const isUnavailable = (address: string | undefined) =>
    isStopping || open.size >= mostConnections || outage.isTooLong || !budgets.mayConnect(address);
  const serving = { secrets, grants, feeds, open, budgets, events };
  const connections: ConnectionDeps = { ...serving, relays, relayGrants, sendBudget, reports, effects };
  const http = { secrets, relays, snapshots: feeds, insights, usage, checkReadiness, now };
  const app = createHostApp(
    {
      ...http,
      bodyGate: budgetedBodies(sendBudget, (text, use) => compression.send(text, use)),
      bodies: createBodyBudget(config.maxUnsentBytes, BODY_TIMEOUT_FACTOR * config.headersTimeoutMs, monotonic),
      serveEventStream: eventStreamRoute({ ...serving, isUnavailable, keepAliveMs: config.unreadTimeoutMs / 3 }),
    },
    { monotonic, onAnswered: events.onAnswered, registry: isPrivate(config) ? metrics.registry : undefined },
  );
  const ports = await listenOnPorts(config, app, createMetricsApp(metrics.registry, monotonic), {
    onOpen: (transport, query, address) => new ServedConnection(connections, transport, query, address),
    budgets,
    isUnavailable,
    onFailed,
  });

  // Connections that come earlier wait for a lease or a note of their own.
  const noted = reports?.begin() ?? Promise.resolve();
  noted.catch(() => {});
  const watching = feeds.watch();
  grants.watch();
  relayGrants.watch();
  outage.watch();
  void reports?.watch();
  preload().catch(onFailed);
  store
    .environments()
    .then((all) => reports?.clear(all))
    .catch(onFailed);

  return {
    port: ports[0].port,
    noted,
    async stop() {
      isStopping = true;
      for (const each of ports) each.close();
      await open.drain(config.drainMs);
      open.stop();
      grants.stop();
      relayGrants.stop();
      outage.stop();
      for (const each of ports) each.endAll();
      feeds.stop();
      await watching;
      await reports?.stop();
      await lastKnown?.flushed();
    },
  };
}

/** Whether the service port may show metrics: they have no port of their own, and a proxy terminates TLS, if anything. */
function isPrivate({ metricsPort, tls }: HostDeps['config']): boolean {
  return metricsPort === undefined && tls === undefined;
}

/** Serves the endpoints on `PORT`, and the metrics on `METRICS_PORT` if it is set. */
async function listenOnPorts(
  config: HostDeps['config'],
  app: Hono,
  metricsApp: Hono,
  service: Pick<Service, 'onOpen' | 'budgets' | 'isUnavailable' | 'onFailed'>,
): Promise<[ListeningPort, ...ListeningPort[]]> {
  const { hostNames, metricsPort } = config;
  const main = await listen({ ...service, config, portSetting: 'PORT', app: onlyByNames(app, hostNames) });
  if (metricsPort === undefined) return [main];
  const metrics = await listen({
    ...service,
    config: { ...config, port: metricsPort },
    portSetting: 'METRICS_PORT',
    app: onlyByNames(metricsApp, hostNames),
    // It accepts no WebSockets.
    isUnavailable: () => true,
  });
  return [main, metrics];
}
