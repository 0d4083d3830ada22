import { resolve } from 'node:path';
import { readAnnouncement } from '../../shared/store/announcement.ts';
import { type FlagStore, openStore } from '../../shared/store/store.ts';
import { createDynamoDb } from '../../shared/store/table.ts';
import { CliError } from './io.ts';

/** What a command works on. */
export interface Target {
  readonly store: FlagStore;
}

/**
 * Opens the store: the table that `FLAGS_TABLE` names, with AWS's own variables for region and credentials, or that of
 * the emulator that runs with this data directory.
 *
 * @throws {CliError} when there is neither
 */
export function findTarget(dataDir: string): Target {
  const named = process.env['FLAGS_TABLE'];
  if (named) return { store: openStore({ client: createDynamoDb(), flags: named }) };

  const announcement = readAnnouncement(resolve(dataDir));
  if (!announcement) {
    throw new CliError(
      `no emulator runs with the data directory "${dataDir}". Start one with npm start (with --data if it uses another ` +
        'directory), or set FLAGS_TABLE, AWS_REGION and AWS credentials to work on a deployed table.',
    );
  }
  const { dynamoDbEndpoint, flagsTable, environment } = announcement;
  Object.assign(process.env, environment, { AWS_ENDPOINT_URL_DYNAMODB: dynamoDbEndpoint });
  return { store: openStore({ client: createDynamoDb(), flags: flagsTable }) };
}
