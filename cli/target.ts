import { resolve } from 'node:path';
import { findAuthor, localAuthor } from '../shared/command/author.ts';
import type { Alarm, ReadAlarms } from '../shared/runtime/alarms.ts';
import { type Announcement, readAnnouncement } from '../shared/runtime/announcement.ts';
import type { Effects } from '../shared/runtime/effects.ts';
import { ownCommand } from '../shared/runtime/ownCommand.ts';
import { throughProxy } from '../shared/runtime/throughProxy.ts';
import { type Connections, openConnections } from '../shared/store/connections/connections.ts';
import { type FlagStore, openStore } from '../shared/store/store.ts';
import { followAnnouncement } from '../shared/store/table/announcedTable.ts';
import { readServiceTables } from '../shared/store/table/serviceTables.ts';
import { readServiceVersion } from '../shared/store/table/serviceVersion.ts';
import { createDynamoDb, type Table } from '../shared/store/table/table.ts';
import { openUsage } from '../shared/store/usage/flagUsage.ts';
import type { Usage } from '../shared/store/usage/usage.ts';
import { CliError } from './io.ts';

/** The table that a command uses. */
export interface Target {
  readonly store: FlagStore;
  /** The name of the table. */
  readonly table: string;
  readonly flagsTable: Table;
  /** The reader as the history names him. Only with `npm start`, where all changes are made on this machine. */
  readonly own?: string;
  /** The id of the environment to use if none is chosen. Only with `npm start`. */
  readonly defaultEnvironment?: string | undefined;
  /** The data directory of a running emulator that is not used. */
  readonly insteadOf?: string;
  /** Opens the connections table. @throws {CliError} if its name is not recorded in the flags table */
  readonly openConnections: () => Promise<Connections>;
  /** Reads CloudWatch alarms by their names. */
  readonly readAlarms: ReadAlarms;
  /** Sets the state of an alarm of `npm start`. Absent for a deployed table. */
  readonly setAlarm?: (name: string, state: Alarm['state']) => Promise<void>;
  /** Base URL of webhooks. Absent for a deployed table, where it is an output of a stack. */
  readonly webhookUrl?: string;
  /** Opens the counts of evaluations. Undefined if the service does not count. */
  readonly usage: () => Promise<Usage | undefined>;
  /** Reads the version of the deployed service. Absent for npm start. */
  readonly serviceVersion?: (abortSignal: AbortSignal) => Promise<string | undefined>;
}

/**
 * Opens the store. With `FLAGS_TABLE`, it opens that table with AWS's variables for region and credentials. Otherwise, and if that is
 * its table, it opens the table of the emulator that runs with this data directory.
 *
 * @param command returns the command line, for the history
 * @param commit the commit of an imported file, for the history
 * @param effects clock, randomness and waiting of the store
 * @throws {CliError} if there is no table
 */
export function findTarget(dataDir: string, command: () => string, effects: Effects, commit?: string): Target {
  const folder = resolve(dataDir);
  const announcement = readAnnouncement(folder);
  const { FLAGS_TABLE: given, AWS_ENDPOINT_URL_DYNAMODB: endpoint } = process.env;
  // A terminal that has the variables for a function in Lambda names the table of the emulator too.
  const isOwn = given === announcement?.flagsTable && endpoint === announcement?.dynamoDbEndpoint;
  const named = isOwn ? undefined : given;
  const local = named ? undefined : announcement;
  if (!named && !local) {
    throw new CliError(
      `${ownCommand('start')} is not running with the data directory "${dataDir}". Run it (with --data for another ` +
        'directory), or set FLAGS_TABLE, AWS_REGION and AWS credentials to work on a deployed table.',
    );
  }
  const onAws = !local && endpoint === undefined;
  const client = local ? followAnnouncement(folder, local) : createDynamoDb();
  const table = { client, name: named || (local?.flagsTable ?? ''), effects };
  const author = async () => ({ ...(await findAuthor(command(), onAws)), commit });
  return {
    store: openStore({ client, flags: table.name }, effects, author),
    table: table.name,
    flagsTable: table,
    openConnections: () => findConnections(table),
    usage: () => openUsage(table),
    ...(local
      ? { own: localAuthor(), defaultEnvironment: local.defaultEnvironment, webhookUrl: local.httpUrl }
      : { serviceVersion: (abortSignal: AbortSignal) => readServiceVersion(table, abortSignal) }),
    ...(announcement && !local && { insteadOf: dataDir }),
    ...alarmsOn(local),
  };
}

async function findConnections(table: Table): Promise<Connections> {
  const names = await readServiceTables(table);
  if (names) return openConnections({ client: table.client, ...names }, table.effects);
  throw new CliError(
    `the connections of table ${table.name} cannot be read: the service has not recorded its connections table. It ` +
      'does so within a minute of its deployment',
  );
}

/** Alarms of AWS, or of the emulator. Most commands need no client for them. */
function alarmsOn(announcement?: Announcement): Pick<Target, 'readAlarms' | 'setAlarm'> {
  const open = async () => {
    const { CloudWatchClient, SetAlarmStateCommand } = await import('@aws-sdk/client-cloudwatch');
    const local = (name: string) => announcement?.environment[`AWS_${name}`] ?? '';
    const credentials = { accessKeyId: local('ACCESS_KEY_ID'), secretAccessKey: local('SECRET_ACCESS_KEY') };
    const client = new CloudWatchClient(
      announcement
        ? { endpoint: local('ENDPOINT_URL_CLOUDWATCH'), region: local('REGION'), credentials }
        : { requestHandler: throughProxy() },
    );
    return { client, SetAlarmStateCommand };
  };
  const readAlarms: ReadAlarms = async (names) => {
    const { readAlarms: read } = await import('../shared/runtime/alarms.ts');
    return read((await open()).client, names);
  };
  if (!announcement) return { readAlarms };
  const setAlarm = async (AlarmName: string, StateValue: Alarm['state']) => {
    const { client, SetAlarmStateCommand } = await open();
    await client.send(new SetAlarmStateCommand({ AlarmName, StateValue, StateReason: 'flags alarm' }));
  };
  return { readAlarms, setAlarm };
}
