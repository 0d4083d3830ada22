import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Ambient, createDynamoDb, type Tables } from '../../shared/store/table.ts';
import { Refusal } from './io.ts';

/** The tables a command works on. */
export interface Target {
  readonly tables: Tables;
  readonly ambient: Ambient;
}

/** What `npm start` says of itself in its data directory. */
interface Announcement {
  readonly pid: number;
  readonly dynamoDbEndpoint: string;
  readonly flagsTable: string;
  readonly environment: Readonly<Record<string, string>>;
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

  const { dynamoDbEndpoint, flagsTable, environment } = readAnnouncement(dataDir);
  Object.assign(process.env, environment, { AWS_ENDPOINT_URL_DYNAMODB: dynamoDbEndpoint });
  return { ambient, tables: { client: createDynamoDb(), flags: flagsTable, connections: '' } };
}

function readAnnouncement(dataDir: string): Announcement {
  const path = join(resolve(dataDir), 'local.json');
  let announcement: Announcement | undefined;
  try {
    announcement = JSON.parse(readFileSync(path, 'utf8')) as Announcement;
  } catch {
    announcement = undefined;
  }
  if (!announcement || !isAlive(announcement.pid)) {
    throw new Refusal(
      `no Flagwire runs with the data directory "${dataDir}". Start one with npm start (and name its directory with ` +
        '--data if it is another), or set FLAGS_TABLE, AWS_REGION and AWS credentials to work on a deployed table.',
    );
  }
  return announcement;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
