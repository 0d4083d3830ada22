import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * How the flags CLI and the host find the emulator of `npm start`: the content of `local.json` in its data directory.
 */
export interface Announcement {
  readonly pid: number;
  readonly dynamoDbEndpoint: string;
  readonly flagsTable: string;
  /** `http://host:port` of the HTTP API and of webhooks. */
  readonly httpUrl: string;
  /** The id of the environment that commands use if none is chosen. */
  readonly defaultEnvironment?: string | undefined;
  /** Region and access key for AWS clients. Each start creates a new access key. */
  readonly environment: Readonly<Record<string, string>>;
}

/** Default data folder of `npm start`. `--data` sets another one. */
export const DATA_FOLDER = '.flagwire';

/** The file in which a process announces itself. */
export function announcementPath(dataDir: string): string {
  return join(dataDir, 'local.json');
}

/** The announcement of the process that runs with a data directory. @returns undefined if none is running */
export function readAnnouncement(dataDir: string): Announcement | undefined {
  try {
    const announcement = JSON.parse(readFileSync(announcementPath(dataDir), 'utf8')) as Announcement;
    return isAlive(announcement.pid) ? announcement : undefined;
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
