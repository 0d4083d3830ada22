import { join, resolve } from 'node:path';
import { type Announcement, readAnnouncement } from '../../shared/runtime/announcement.ts';
import { HostConfigError } from './config.ts';

/** Names by which this machine reaches itself. */
const OWN_NAMES = '127.0.0.1,localhost,[::1]';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * What `npm start` announces in its data folder, for a host that no table is named to.
 *
 * @param env the variables that are set
 * @returns undefined where a table is named already
 * @throws {HostConfigError} when none runs with that folder, naming it
 */
export function findLocalTable(env: Environment, folder: string): Announcement | undefined {
  if (env['FLAGS_TABLE']) return undefined;
  const announcement = readAnnouncement(folder);
  if (announcement) return announcement;
  throw new HostConfigError(
    `FLAGS_TABLE is not set, and no npm start runs with the data folder ${resolve(folder)}. Start one, name its folder with --data <directory>, or set FLAGS_TABLE to the table's name (an output of the stack)`,
  );
}

/**
 * Settings for a host on the table of an emulator that runs on this machine, on the next port; what is set already stays as it is.
 *
 * @param env the variables that are set
 * @param folder where the emulator keeps its data, and the host may
 * @returns the variables to set besides
 */
export function localTableSettings(
  env: Environment,
  { flagsTable }: Pick<Announcement, 'flagsTable'>,
  folder: string,
): Readonly<Record<string, string>> {
  const { PORT = '5200', HOST = '127.0.0.1', STATE_DIR = join(folder, 'host'), MAX_TABLE_OUTAGE_MS = '30000' } = env;
  // Only this machine reaches it, unless HOST says otherwise.
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
