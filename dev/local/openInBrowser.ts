import { spawn } from 'node:child_process';

/** The program that opens a URL in the default browser, with its arguments. */
export function openerOf(platform: NodeJS.Platform): readonly [program: string, ...args: string[]] {
  if (platform === 'darwin') return ['open'];
  if (platform === 'win32') return ['cmd', '/c', 'start', ''];
  return ['xdg-open'];
}

/**
 * Opens a URL in the default browser.
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
