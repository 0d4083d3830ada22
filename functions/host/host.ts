import type { Hono } from 'hono';
import type { Effects } from '../../shared/runtime/effects.ts';
import type { KnownKeys } from '../../shared/store/authenticate.ts';
import type { DocumentReader } from '../../shared/store/documents/documents.ts';
import type { SnapshotCache } from '../../shared/store/snapshots/snapshotCache.ts';
import type { InsightSink } from '../http/insight.ts';
import { LimitedLog } from '../telemetry/limitedLog.ts';
import { drain } from './connections/drain.ts';
import { eventStreamRoute } from './connections/eventStream.ts';
import { Grants } from './connections/grants.ts';
import { OpenConnections } from './connections/openConnections.ts';
import { serveConnection } from './connections/serveConnection.ts';
import { Feeds } from './feeds/feeds.ts';
import { PushReports, type PushReportsDeps } from './feeds/pushReports.ts';
import { SendBudget } from './feeds/sendBudget.ts';
import { createHostApp, createMetricsApp, onlyByNames } from './http/app.ts';
import { BodyBudget } from './http/bodyBudget.ts';
import { budgetedBodies } from './http/budgetedBodies.ts';
import { createMetrics } from './http/metrics.ts';
import type { HostUsage } from './insights/usage.ts';
import type { LastKnownState } from './offline/lastKnownState.ts';
import { TableOutage } from './offline/tableOutage.ts';
import { listen } from './server/listen.ts';
import type { HostConfig } from './settings/config.ts';
import type { OnOpen } from './transport/transport.ts';

/** Dependencies of the host. */
export interface HostDeps extends KnownKeys {
  readonly config: Omit<
    HostConfig,
    'flagsTable' | 'connectionsTable' | 'usageTable' | 'insights' | 'stateDir' | 'missingAttribute'
  >;
  readonly documents: Pick<DocumentReader, 'missed'>;
  readonly snapshots: Pick<SnapshotCache, 'read'>;
  readonly insights: InsightSink;
  /** Counts evaluations. If absent, they are not counted. */
  readonly usage?: HostUsage;
  /** The saved state of an earlier process. If absent, nothing is saved. */
  readonly lastKnown?: LastKnownState;
  /** Lists the environments. @throws if the table cannot be reached */
  readonly environments: () => Promise<readonly string[]>;
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

/** Number of environments to read at start. An instance keeps as many compiled. */
const PRELOADED = 50;

/** Factor of a body's time limit over that of a request's head. */
const BODY_TIMEOUT_FACTOR = 3;

/**
 * Starts the service as one process. One port serves WebSockets under `/streaming`, the HTTP endpoints, health and
 * metrics.
 */
export async function startHost(deps: HostDeps): Promise<Host> {
  const { config, lastKnown, effects } = deps;
  const { now, monotonic } = effects;
  const secrets = lastKnown ? lastKnown.secrets.remembering(deps.secrets) : deps.secrets;
  const open = new OpenConnections(config.idleTimeoutMs, config.maxUnsentBytes);
  const budget = new SendBudget(config.maxUnsentBytes);
  const metrics = createMetrics({
    connections: () => open.size,
    unsentBytes: () => budget.totalBytes,
    unreported: () => reports?.unreported ?? 0,
    lostInsights: () => deps.insights.lost ?? {},
    droppedUsage: () => deps.usage?.dropped ?? 0,
  });
  const limited = new LimitedLog(now);
  const { maxTableOutageMs } = config;
  let isStopping = false;
  const environments = lastKnown ? lastKnown.tidying(deps.environments) : deps.environments;
  let wasReady = lastKnown?.knowsAny ?? false;

  const onFailed = (error: unknown) => {
    metrics.failures.inc();
    limited.warn('operation failed', { error: error as Error });
  };
  const onTableAnswered = () => {
    metrics.tableReached(now() / 1_000);
    outage?.answered();
  };
  const feeds = new Feeds({
    ...deps,
    ...config,
    snapshots: {
      read: (envId) => {
        metrics.reads.inc();
        return deps.snapshots.read(envId);
      },
    },
    lastKnown: (envId) => lastKnown?.reading(envId),
    onRead: (envId, reading) => lastKnown?.save(envId, reading),
    onDropped: () => metrics.dropped.inc(),
    onDeleted: (envId) => lastKnown?.forget(envId),
    onPushed: ({ updatedAt, writtenAt }, subscribers) => {
      metrics.pushes.inc(subscribers);
      metrics.pushSeconds.observe(Math.max(0, now() - Math.max(updatedAt, writtenAt)) / 1_000);
    },
    onPolled: (error) => {
      if (error) onFailed(error);
      else onTableAnswered();
    },
  });
  const reports =
    deps.reports &&
    new PushReports({
      ...deps.reports,
      report: (envId) => feeds.report(envId),
      effects,
      onFailed: (error) => {
        metrics.reportFailures.inc();
        limited.warn('report for receipts not written', { error: error as Error });
      },
    });
  const ask = async () => {
    await deps.environments();
    metrics.tableReached(now() / 1_000);
  };
  const outage =
    maxTableOutageMs === undefined ? undefined : new TableOutage(maxTableOutageMs, { ask, onFailed, now: monotonic });

  const onRefused = (reason: string) => {
    metrics.refused.inc();
    limited.warn('connection refused', { reason });
  };
  const grants = new Grants({ secrets, now, onRefused, onFailed });
  const relayGrants = new Grants({ secrets: deps.relays, now, onRefused, onFailed });
  const keepAliveMs = config.unreadTimeoutMs / 3;
  const app = createHostApp({
    ...deps,
    now,
    secrets,
    snapshots: feeds,
    serveEventStream: eventStreamRoute({ secrets, grants, feeds, open, keepAliveMs, onRefused }),
    bodyGate: budgetedBodies(budget),
    bodies: new BodyBudget(config.maxUnsentBytes, BODY_TIMEOUT_FACTOR * config.headersTimeoutMs),
    ...(config.metricsPort === undefined ? { registry: metrics.registry } : {}),
    onAnswered: (route, status, seconds) => metrics.http.observe({ route, status }, seconds),
    checkReadiness: async () => {
      if (isStopping) throw new Error('the host is stopping');
      // Once ready, it stays ready: while the table is down, it serves its snapshots for the configured time.
      if (!wasReady) await preload();
      outage?.requireAnswer();
    },
  });

  /** Reads environments before the first request. A process's first read takes far longer than later ones. */
  const preload = async () => {
    for (const envId of (await environments()).slice(0, PRELOADED)) await feeds.read(envId);
    wasReady = true;
  };

  const session = {
    ...deps,
    secrets,
    grants,
    relayGrants,
    feeds,
    budget,
    reports,
    onFailed,
    onRefused,
    onIgnored: (reason: string) => {
      metrics.ignored.inc();
      limited.warn('message ignored', { reason });
    },
    onSynced: (milliseconds: number) => metrics.syncSeconds.observe(milliseconds / 1_000),
  };
  const onOpen: OnOpen = (transport, query) => {
    open.opened(transport);
    metrics.opened.inc();
    const { onMessage, onDrain, onClose } = serveConnection(session, transport, query);
    return {
      onDrain,
      onMessage: (text) => {
        metrics.messages.inc();
        open.heard(transport);
        onMessage(text);
      },
      onClose: () => {
        open.forget(transport);
        onClose();
      },
    };
  };

  const { hostNames } = config;
  const named = (each: Hono) => (hostNames ? onlyByNames(each, hostNames) : each);
  const listening = await listen({
    config,
    portSetting: 'PORT',
    app: named(app),
    onOpen,
    isStopping: () => isStopping,
    onFailed,
  });
  const ports = [listening];
  if (config.metricsPort !== undefined) {
    const own = { config: { ...config, port: config.metricsPort }, portSetting: 'METRICS_PORT' } as const;
    // It accepts no WebSockets.
    ports.push(
      await listen({
        ...own,
        app: named(createMetricsApp(metrics.registry)),
        onOpen,
        isStopping: () => true,
        onFailed,
      }),
    );
  }
  // Connections that come earlier wait for a lease or a note of their own.
  const noted = reports?.begin() ?? Promise.resolve();
  noted.catch(() => {});
  const watching = feeds.watch();
  grants.watch();
  relayGrants.watch();
  outage?.watch();
  void reports?.watch();
  preload().catch(onFailed);
  deps
    .environments()
    .then((all) => reports?.clear(all))
    .catch(onFailed);

  return {
    port: listening.port,
    noted,
    async stop() {
      isStopping = true;
      for (const each of ports) each.close();
      await drain(open, config.drainMs);
      open.stop();
      grants.stop();
      relayGrants.stop();
      outage?.stop();
      for (const each of ports) each.endAll();
      feeds.stop();
      await watching;
      await reports?.stop();
      await lastKnown?.flushed();
    },
  };
}
