import { resolve } from 'node:path';
import { readAnnouncement } from '../../shared/store/announcement.ts';
import type { Effects } from '../../shared/store/effects.ts';
import { systemEffects } from '../../shared/store/effects.ts';
import { createDynamoDb, type Tables } from '../../shared/store/table.ts';
import { CliError } from './io.ts';

/** The tables a command works on. */
export interface Target {
  readonly tables: Tables;
  readonly effects: Effects;
}

/**
 * Finds the tables: the one that `FLAGS_TABLE` names, with AWS's own variables for region and credentials, or else those
 * of the stand-in that runs with this data directory.
 *
 * @throws {CliError} when there is neither
 */
export function findTarget(dataDir: string): Target {
  const named = process.env['FLAGS_TABLE'];
  if (named) return { effects: systemEffects, tables: { client: createDynamoDb(), flags: named, connections: '' } };

  const announcement = readAnnouncement(resolve(dataDir));
  if (!announcement) {
    throw new CliError(
      `no Flagwire runs with the data directory "${dataDir}". Start one with npm start (and name its directory with ` +
        '--data if it is another), or set FLAGS_TABLE, AWS_REGION and AWS credentials to work on a deployed table.',
    );
  }
  const { dynamoDbEndpoint, flagsTable, environment } = announcement;
  Object.assign(process.env, environment, { AWS_ENDPOINT_URL_DYNAMODB: dynamoDbEndpoint });
  return { effects: systemEffects, tables: { client: createDynamoDb(), flags: flagsTable, connections: '' } };
}
