import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** How the flags CLI and the host find the emulator that `npm start` runs: the content of `local.json` in its data directory. */
export interface Announcement {
  readonly pid: number;
  readonly dynamoDbEndpoint: string;
  readonly flagsTable: string;
  /** Region and access key for AWS clients; the access key is another after each start. */
  readonly environment: Readonly<Record<string, string>>;
}

/** Where `npm start` keeps its data unless `--data` names another folder. */
export const DATA_FOLDER = '.flagwire';

/** Where a process announces itself. */
export function announcementPath(dataDir: string): string {
  return join(dataDir, 'local.json');
}

/** What the process says that runs with a data directory. @returns undefined when none does */
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
