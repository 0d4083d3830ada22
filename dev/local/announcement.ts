import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { quoteWord } from '../../shared/command/quoteWord.ts';
import { type Announcement, announcementPath, readAnnouncement } from '../../shared/runtime/announcement.ts';
import type { LocalStack } from '../emulator/emulator.ts';

/**
 * Creates the data directory if it is missing.
 *
 * @throws {Error} when another process uses it: two would damage each other's tables
 */
export function claimDataDir(dataDir: string): void {
  mkdirSync(dataDir, { recursive: true });
  const other = readAnnouncement(dataDir);
  if (other && other.pid !== process.pid) {
    throw new Error(
      `process ${other.pid} already uses ${dataDir}; stop it, or choose another directory with --data <directory>`,
    );
  }
}

/** What code has in Lambda, and the endpoint of the table. */
const IN_LAMBDA = 'FLAGS_TABLE AWS_REGION AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY AWS_ENDPOINT_URL_DYNAMODB'.split(' ');

/** The script with the variables of {@link announce}. */
export function lambdaVariablesPath(dataDir: string): string {
  return join(dataDir, 'lambda.sh');
}

/**
 * Writes where `npm run flags` and `npm run host` find this process's tables, and the id of the commands' default environment. A
 * shell script has the variables with which code for Lambda finds them.
 */
export function announce(dataDir: string, stack: LocalStack, defaultEnvironment = ''): void {
  const { dynamoDbEndpoint, tables, httpUrl, environment } = stack;
  const { AWS_REGION = '', AWS_ACCESS_KEY_ID = '', AWS_SECRET_ACCESS_KEY = '' } = environment;
  const { AWS_ENDPOINT_URL_CLOUDWATCH = '' } = environment;
  const announcement: Announcement = {
    pid: process.pid,
    dynamoDbEndpoint,
    flagsTable: tables.flags,
    httpUrl,
    defaultEnvironment,
    environment: { AWS_REGION, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_ENDPOINT_URL_CLOUDWATCH },
  };
  writePrivate(announcementPath(dataDir), announcement);
  const variables = [['FLAGS_ENVIRONMENT', defaultEnvironment], ...IN_LAMBDA.map((name) => [name, environment[name]])];
  const given = variables.filter(([, value]) => value);
  writePrivate(
    lambdaVariablesPath(dataDir),
    given.map(([name, value = '']) => `export ${name}=${quoteWord(value)}\n`).join(''),
  );
}

/** Removes the announcement. */
export function withdraw(dataDir: string): void {
  for (const path of [announcementPath(dataDir), lambdaVariablesPath(dataDir)]) rmSync(path, { force: true });
}

/** Writes a text, or JSON, to a file atomically, for its owner only. */
export function writePrivate(path: string, content: unknown): void {
  const draft = `${path}.${process.pid}`;
  // A file that a killed process left may have another mode, which writing to it would keep.
  rmSync(draft, { force: true });
  const text = typeof content === 'string' ? content : `${JSON.stringify(content, null, 2)}\n`;
  writeFileSync(draft, text, { mode: 0o600, flag: 'wx' });
  renameSync(draft, path);
}
