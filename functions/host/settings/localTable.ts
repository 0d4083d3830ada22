import { join, resolve } from 'node:path';
import { type Announcement, readAnnouncement } from '../../../shared/runtime/announcement.ts';
import { ownCommand } from '../../../shared/runtime/ownCommand.ts';
import { HostConfigError } from './config.ts';

/** Names of this machine for itself. */
const OWN_NAMES = '127.0.0.1,localhost,[::1]';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The announcement of `npm start` in its data folder, for a host without a configured table.
 *
 * @param env the environment variables
 * @returns undefined if a table is configured
 * @throws {HostConfigError} with the folder, if `npm start` is not running with it
 */
export function findLocalTable(env: Environment, folder: string): Announcement | undefined {
  if (env['FLAGS_TABLE']) return undefined;
  const announcement = readAnnouncement(folder);
  if (announcement) return announcement;
  throw new HostConfigError(
    `FLAGS_TABLE is not set, and ${ownCommand('start')} is not running with the data folder ${resolve(folder)}. Run it, name its folder with --data <directory>, or set FLAGS_TABLE to the table's name (an output of the stack)`,
  );
}

/**
 * Settings for a host on the table of a local emulator, on the emulator's next port. Variables that are set keep their
 * values.
 *
 * @param env the environment variables
 * @param folder data folder of the emulator, which the host may use too
 * @returns the variables to add
 */
export function localTableSettings(
  env: Environment,
  { flagsTable }: Pick<Announcement, 'flagsTable'>,
  folder: string,
): Readonly<Record<string, string>> {
  const { PORT = '5200', HOST = '127.0.0.1', STATE_DIR = join(folder, 'host'), MAX_TABLE_OUTAGE_MS = '30000' } = env;
  // Only this machine can reach it, unless HOST is set.
  const HOST_NAMES = env['HOST_NAMES'] ?? (env['HOST'] === undefined ? OWN_NAMES : undefined);
  const INSIGHT_FILE = env['INSIGHT_FILE'] ?? join(folder, 'host-insights.ndjson');
  return {
    FLAGS_TABLE: flagsTable,
    PORT,
    HOST,
    ...(HOST_NAMES === undefined ? {} : { HOST_NAMES }),
    STATE_DIR,
    MAX_TABLE_OUTAGE_MS,
    ...(env['INSIGHT_STREAM'] ? {} : { INSIGHT_FILE }),
  };
}
