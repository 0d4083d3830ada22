import { resolve } from 'node:path';
import { findAuthor } from '../shared/command/author.ts';
import { readAnnouncement } from '../shared/runtime/announcement.ts';
import type { Effects } from '../shared/runtime/effects.ts';
import { followAnnouncement } from '../shared/store/announcedTable.ts';
import { readServiceVersion } from '../shared/store/serviceVersion.ts';
import { type FlagStore, openStore } from '../shared/store/store.ts';
import { createDynamoDb } from '../shared/store/table.ts';
import { CliError } from './io.ts';

/** The table that a command uses. */
export interface Target {
  readonly store: FlagStore;
  /** The name of the table. */
  readonly table: string;
  /** The data directory of a running emulator that is not used. */
  readonly insteadOf?: string;
  /** Reads the version of the deployed service. Absent for npm start. */
  readonly serviceVersion?: (abortSignal: AbortSignal) => Promise<string | undefined>;
}

/**
 * Opens the store. With `FLAGS_TABLE`, it opens that table with AWS's variables for region and credentials. Otherwise
 * it opens the table of the emulator that runs with this data directory.
 *
 * @param command returns the command line, for the history
 * @param effects clock, randomness and waiting of the store
 * @throws {CliError} if there is no table
 */
export function findTarget(dataDir: string, command: () => string, effects: Effects): Target {
  const named = process.env['FLAGS_TABLE'];
  const folder = resolve(dataDir);
  const announcement = readAnnouncement(folder);
  if (named) {
    const onAws = process.env['AWS_ENDPOINT_URL_DYNAMODB'] === undefined;
    const client = createDynamoDb();
    const store = openStore({ client, flags: named }, effects, () => findAuthor(command(), onAws));
    const serviceVersion = (abortSignal: AbortSignal) => readServiceVersion({ client, name: named }, abortSignal);
    return { store, table: named, serviceVersion, ...(announcement ? { insteadOf: dataDir } : {}) };
  }
  if (!announcement) {
    throw new CliError(
      `npm start is not running with the data directory "${dataDir}". Run npm start (with --data for another ` +
        'directory), or set FLAGS_TABLE, AWS_REGION and AWS credentials to work on a deployed table.',
    );
  }
  const tables = { client: followAnnouncement(folder, announcement), flags: announcement.flagsTable };
  const store = openStore(tables, effects, () => findAuthor(command(), false));
  return { store, table: announcement.flagsTable };
}
