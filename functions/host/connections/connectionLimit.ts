import { readFileSync } from 'node:fs';

/** Share of the open files that connections may take. The rest is for HTTP requests, the table, and files. */
const SHARE = 0.9;

/**
 * The number of connections that this process can hold: the configured maximum, or fewer if it cannot open enough files.
 *
 * @param readLimits the limits of this process in Linux's format. Another system has no such file
 */
export function connectionLimit(maximum = Number.POSITIVE_INFINITY, readLimits = readProcessLimits): number {
  const [, files = Number.POSITIVE_INFINITY] = /^Max open files +(\d+)/m.exec(readLimits()) ?? [];
  return Math.min(maximum, Math.floor(SHARE * Number(files)));
}

function readProcessLimits(): string {
  try {
    return readFileSync('/proc/self/limits', 'utf8');
  } catch {
    return '';
  }
}
