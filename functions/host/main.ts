import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { npmCommand } from '../../shared/command/npmCommand.ts';
import { onStop } from '../../shared/command/stopOnSignals.ts';
import { userPath } from '../../shared/command/userPath.ts';
import { DATA_FOLDER } from '../../shared/runtime/announcement.ts';
import { ownCommand } from '../../shared/runtime/ownCommand.ts';
import { openKnownKeys } from '../../shared/store/authenticate.ts';
import { HostReports } from '../../shared/store/connections/hostReports.ts';
import { SnapshotCache } from '../../shared/store/snapshots/snapshotCache.ts';
import { openStore } from '../../shared/store/store.ts';
import { followAnnouncement } from '../../shared/store/table/announcedTable.ts';
import { readItemsDirectly } from '../../shared/store/table/directReads.ts';
import { readServiceTables } from '../../shared/store/table/serviceTables.ts';
import { createDynamoDb, type Table } from '../../shared/store/table/table.ts';
import { Usage } from '../../shared/store/usage/usage.ts';
import { createInsightStream } from '../http/insightStream.ts';
import { log, logInvalidConditions } from '../telemetry/log.ts';
import { startHeartbeat } from './doorHeartbeat.ts';
import { hostGreeting } from './greeting.ts';
import { startHost } from './host.ts';
import { startHostUsage } from './insights/hostUsage.ts';
import { createInsightFile } from './insights/insightFile.ts';
import { LastKnownState } from './offline/lastKnownState.ts';
import { type HostConfig, HostConfigError, hostSettings, readHostConfig } from './settings/config.ts';
import { describeSettings } from './settings/help.ts';
import { findLocalTable, localTableSettings } from './settings/localTable.ts';

/** How long a direct read may take before the SDK sends it again. */
const READ_TIMEOUT_MS = 3_000;

const { data } = npmCommand(
  'host',
  'Runs the service as one process, with streaming, polling, evaluation and insight events.',
)
  .option('--data <directory>', `data directory of ${ownCommand('start')}`, userPath, DATA_FOLDER)
  .addHelpText(
    'after',
    `
The host runs on Bun. To run it on Node, set HOST_RUNTIME=node.

Environment variables:
${describeSettings(hostSettings.shape)}

The host uses the AWS SDK's variables for credentials and region, such as AWS_REGION and AWS_PROFILE.
Without FLAGS_TABLE, the host uses the table of ${ownCommand('start')} and reconnects to it after a restart. It then listens on
127.0.0.1:5200, and stores its state and insight events in the data directory.
SIGTERM, SIGINT and SIGHUP stop the host.

Exit code: 0 if the host was stopped, 1 if a setting is invalid or the start failed, 2 if an argument is unknown.`,
  )
  .parse()
  .opts<{ data: string }>();

try {
  const local = findLocalTable(process.env, data);
  if (local) Object.assign(process.env, localTableSettings(process.env, local, data));
  const open = (options: { silenceMs?: number; maxAttempts?: number } = {}) =>
    local ? followAnnouncement(data, local, options) : createDynamoDb(options);
  const clients = [open(), open({ silenceMs: 1_000, maxAttempts: 1 })] as const;
  await main(readHostConfig(process.env), ...clients, local && data);
} catch (error) {
  console.error(error instanceof HostConfigError ? `host: ${error.message}` : error);
  process.exit(1);
}

async function main(
  config: HostConfig,
  client: ReturnType<typeof createDynamoDb>,
  usageClient: ReturnType<typeof createDynamoDb>,
  localData: string | undefined,
): Promise<void> {
  const store = openStore({ client, flags: config.flagsTable });
  readItemsDirectly(client, READ_TIMEOUT_MS, store.effects);
  const { usageTable } = config;
  const table = { client, name: config.flagsTable, effects: store.effects };
  const findUsage = async () => {
    const name = usageTable ?? (await readServiceTables(table))?.usage;
    return name === undefined ? undefined : new Usage({ client: usageClient, name, effects: store.effects });
  };
  const usage = usageTable === 'off' ? undefined : startHostUsage(findUsage, store.effects);
  const host = await startHost({
    config,
    keys: openKnownKeys(store),
    store: {
      documents: store.documents,
      snapshots: new SnapshotCache(store, logInvalidConditions, config.missingAttribute),
      environments: async () => (await store.environments.list()).map(({ id }) => id),
    },
    insights:
      'stream' in config.insights
        ? createInsightStream(config.insights.stream, store.effects)
        : createInsightFile(config.insights.file, store.effects.now),
    ...(config.stateDir
      ? { lastKnown: new LastKnownState(config.stateDir, config.missingAttribute, store.effects.now) }
      : {}),
    ...(usage ? { usage } : {}),
    effects: store.effects,
    reports: {
      process: { id: nameOf(config), owner: randomUUID() },
      notes: store.hosts,
      open: reportsOpener({ client, name: config.flagsTable, effects: store.effects }, config),
    },
  });
  const { port } = host;
  // A person who looks wants the address. Programs read one line of JSON.
  const isWatched = process.stdout.isTTY;
  if (isWatched) console.log(hostGreeting({ ...config, port }, localData));
  else log.info('listening', { ...config, port });
  const heart = config.heartbeat ? startHeartbeat(() => store.machine.beat()) : undefined;
  onStop(async () => {
    clearInterval(heart);
    if (!isWatched) log.info('stopping', { drainMs: config.drainMs });
    await host.stop();
    await usage?.close();
    process.exit(0);
  });
  await host.noted;
}

/** The name of this process in receipts. It is the same after a restart, unless processes share the port. */
function nameOf({ host, port, reusePort }: HostConfig): string {
  const isShared = reusePort || port === 0;
  return `${hostname()}/${host}:${port}${isShared ? `:${process.pid}` : ''}`;
}

/** Opens the reports. It returns undefined while the connections table is neither configured nor recorded. */
function reportsOpener(flags: Table, { connectionsTable }: HostConfig): () => Promise<HostReports | undefined> {
  let isLogged = false;
  return async () => {
    const name = connectionsTable ?? (await readServiceTables(flags))?.connections;
    if (name !== undefined) return new HostReports({ ...flags, name });
    if (!isLogged) log.warn('receipts do not include this host: set CONNECTIONS_TABLE to the connections table');
    isLogged = true;
    return undefined;
  };
}
