import { resolve } from 'node:path';
import { findAuthor } from '../shared/command/author.ts';
import { readAnnouncement } from '../shared/runtime/announcement.ts';
import { systemEffects } from '../shared/runtime/effects.ts';
import { followAnnouncement } from '../shared/store/announcedTable.ts';
import { type FlagStore, openStore } from '../shared/store/store.ts';
import { createDynamoDb } from '../shared/store/table.ts';
import { CliError } from './io.ts';

/** What a command works on. */
export interface Target {
  readonly store: FlagStore;
  /** The name of the table. */
  readonly table: string;
  /** The data directory of an emulator that runs, and is not worked on. */
  readonly insteadOf?: string;
}

/**
 * Opens the store: the table that `FLAGS_TABLE` names, with AWS's own variables for region and credentials, or that of
 * the emulator that runs with this data directory.
 *
 * @param command what is asked of it, for the history
 * @throws {CliError} when there is neither
 */
export function findTarget(dataDir: string, command: string): Target {
  const named = process.env['FLAGS_TABLE'];
  const folder = resolve(dataDir);
  const announcement = readAnnouncement(folder);
  if (named) {
    const onAws = process.env['AWS_ENDPOINT_URL_DYNAMODB'] === undefined;
    const tables = { client: createDynamoDb(), flags: named };
    const store = openStore(tables, systemEffects, () => findAuthor(command, onAws));
    return { store, table: named, ...(announcement ? { insteadOf: dataDir } : {}) };
  }
  if (!announcement) {
    throw new CliError(
      `no emulator runs with the data directory "${dataDir}". Start one with npm start (with --data if it uses another ` +
        'directory), or set FLAGS_TABLE, AWS_REGION and AWS credentials to work on a deployed table.',
    );
  }
  const tables = { client: followAnnouncement(folder, announcement), flags: announcement.flagsTable };
  const store = openStore(tables, systemEffects, () => findAuthor(command, false));
  return { store, table: announcement.flagsTable };
}
