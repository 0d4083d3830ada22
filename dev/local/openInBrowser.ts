import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { writePrivate } from './announcement.ts';

/** The program that opens a URL in the default browser, with its arguments. */
export function openerOf(platform: NodeJS.Platform): readonly [program: string, ...args: string[]] {
  if (platform === 'darwin') return ['open'];
  if (platform === 'win32') return ['cmd', '/c', 'start', ''];
  return ['xdg-open'];
}

/**
 * Writes a page that forwards to a URL, for its owner only. Other users of this machine see the command lines of processes, so a URL with a token
 * must not be in the browser's.
 *
 * @returns the URL of the page
 */
export function forwardingPage(dataDir: string, url: string): string {
  const path = join(dataDir, 'console.html');
  writePrivate(path, `<!doctype html><meta http-equiv="refresh" content="0;url=${url}"><a href="${url}">Console</a>\n`);
  return pathToFileURL(path).href;
}

/**
 * Opens a URL in the default browser. Other users of this machine can see it.
 *
 * @param env the browser's environment variables
 * @param complain called with one line if that fails
 */
export function openInBrowser(
  url: string,
  env: NodeJS.ProcessEnv,
  complain: (line: string) => void,
  [program, ...args] = openerOf(process.platform),
): void {
  const child = spawn(program, [...args, url], { env, stdio: 'ignore', detached: true });
  const fail = (why: string) => complain(`Cannot open a browser: ${why}. Open the console's address yourself.`);
  child.once('error', (error) => fail(error.message));
  child.once('exit', (code) => code && fail(`${program} ended with exit code ${code}`));
  child.unref();
}
