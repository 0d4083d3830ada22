import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../../dev/support/freePort.ts';
import { type CommandLine, RunningProcess } from '../../../dev/support/runningProcess.ts';
import { SERVER_CORE } from '../../machine/pinned.ts';
import { targetAt } from '../../testbed/testbed.ts';

/** The default of OFREP's provider for browsers and of Unleash's JavaScript client. */
export const POLL_SECONDS = 30;

/**
 * Starts a program that reads its flags from a file, on the core of the server, and waits until it is ready.
 *
 * @param ready the path that it answers with 200 once it is ready
 */
export async function startProgram(command: (file: string, port: number) => CommandLine, flags: object, ready: string) {
  const directory = mkdtempSync(join(tmpdir(), 'flagwire-peer-'));
  const file = join(directory, 'flags.json');
  writeFileSync(file, JSON.stringify(flags));
  const port = await freePort();
  const child = new RunningProcess(command(file, port), { core: SERVER_CORE });
  const stop = async () => {
    await child.stop();
    rmSync(directory, { recursive: true });
  };
  const address = `http://127.0.0.1:${port}`;
  await child
    .ready(async () => (await fetch(address + ready)).ok)
    .catch((error) => stop().then(() => Promise.reject(error)));
  const target = await targetAt(port, '');
  return { pid: child.pid, stop, address, target, client: { kind: 'polling', seconds: POLL_SECONDS } } as const;
}

/** Why a program cannot be started. Undefined if it can. @param variable the environment variable with its path */
export function whyMissing(path: string, variable: string): string | undefined {
  const { error } = spawnSync(path, ['--help']);
  return error && `${path} is not there: install it, or set ${variable} to its path`;
}
