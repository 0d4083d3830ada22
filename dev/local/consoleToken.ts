import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { newToken } from '../../console/server/guard.ts';
import { writePrivate } from './announcement.ts';

/** The console's token of a data directory: the one of the last start, so that open tabs and bookmarks stay valid. */
export function keepToken(dataDir: string): string {
  const path = join(dataDir, 'console.json');
  const token = readToken(path) ?? newToken();
  writePrivate(path, { token });
  return token;
}

function readToken(path: string): string | undefined {
  try {
    const { token } = JSON.parse(readFileSync(path, 'utf8'));
    // Nothing shorter than a new one, which could be guessed.
    return typeof token === 'string' && /^[\w-]{43}$/.test(token) ? token : undefined;
  } catch {
    return undefined;
  }
}
