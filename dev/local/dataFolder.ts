import { chmodSync, lstatSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { DATA_FOLDER } from '../../shared/runtime/announcement.ts';

/** Data of `npm start` in its data folder, which `--fresh` deletes. */
export const KEPT = ['dynamodb', 'dynamodb.port', 'insight', 'keys.json', 'console.json', 'console.html'];

/** The same, with the announcement of a running process and the files of the host. */
const OWN = new RegExp(
  `^(?:${KEPT.join('|').replaceAll('.', '\\.')}|local\\.json(?:\\.\\d+)?|host|host-insights\\.ndjson(?:\\..+)?)$`,
);

/**
 * Makes what is kept in a data folder readable for its owner only: files become 0600, folders 0700. Other files stay as they
 * are. A folder with other files keeps its mode too, unless it has the usual name.
 *
 * @throws what the system throws, naming the path, where a file belongs to another user
 */
export function makePrivate(dataDir: string): void {
  const entries = readdirSync(dataDir);
  for (const entry of entries) if (OWN.test(entry)) restrict(join(dataDir, entry));
  const isOwn = basename(dataDir) === DATA_FOLDER || entries.every((entry) => OWN.test(entry));
  if (isOwn) restrictOne(dataDir, 0o700);
}

function restrict(path: string): void {
  const found = lstatSync(path);
  if (found.isFile()) restrictOne(path, 0o600);
  // A link may lead out of the folder.
  if (!found.isDirectory()) return;
  restrictOne(path, 0o700);
  for (const entry of readdirSync(path)) restrict(join(path, entry));
}

function restrictOne(path: string, mode: number): void {
  if (lstatSync(path).mode & 0o077) chmodSync(path, mode);
}
