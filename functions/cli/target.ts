import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { type Ambient, createDynamoDb, type Tables } from '../../shared/store/table.ts';
import { readAnnouncement } from './announcement.ts';
import { Refusal } from './io.ts';

/** The tables a command works on. */
export interface Target {
  readonly tables: Tables;
  readonly ambient: Ambient;
}

/**
 * Finds the tables: the one that `FLAGS_TABLE` names, with AWS's own variables for region and credentials, or else those
 * of the stand-in that runs with this data directory.
 *
 * @throws {Refusal} when there is neither
 */
export function findTarget(dataDir: string): Target {
  const ambient = { now: Date.now, random: Math.random, uuid: randomUUID };
  const named = process.env['FLAGS_TABLE'];
  if (named) return { ambient, tables: { client: createDynamoDb(), flags: named, connections: '' } };

  const announcement = readAnnouncement(resolve(dataDir));
  if (!announcement) {
    throw new Refusal(
      `no Flagwire runs with the data directory "${dataDir}". Start one with npm start (and name its directory with ` +
        '--data if it is another), or set FLAGS_TABLE, AWS_REGION and AWS credentials to work on a deployed table.',
    );
  }
  const { dynamoDbEndpoint, flagsTable, environment } = announcement;
  Object.assign(process.env, environment, { AWS_ENDPOINT_URL_DYNAMODB: dynamoDbEndpoint });
  return { ambient, tables: { client: createDynamoDb(), flags: flagsTable, connections: '' } };
}
