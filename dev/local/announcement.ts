import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
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

/** Writes where `npm run flags` and `npm run host` find this process's tables, and the id of the commands' default environment. */
export function announce(dataDir: string, stack: LocalStack, defaultEnvironment?: string): void {
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
}

/** Removes the announcement. */
export function withdraw(dataDir: string): void {
  rmSync(announcementPath(dataDir), { force: true });
}

/** Writes a file of JSON atomically, for its owner only. */
export function writePrivate(path: string, content: unknown): void {
  const draft = `${path}.${process.pid}`;
  // A file that a killed process left may have another mode, which writing to it would keep.
  rmSync(draft, { force: true });
  writeFileSync(draft, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
  renameSync(draft, path);
}
