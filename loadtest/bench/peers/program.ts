import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../../dev/support/freePort.ts';
import { RunningProcess } from '../../../dev/support/runningProcess.ts';
import { findLoopback } from '../../machine/loopback.ts';
import { SERVER_CORE } from '../../machine/pinned.ts';

/** A program of another project that reads its flags from a file. */
export interface Program {
  readonly path: string;
  readonly flags: object;
  readonly args?: (file: string, port: number) => readonly string[];
  readonly environment?: (file: string, port: number) => Readonly<Record<string, string>>;
  /** The path that answers with 200 once it is ready. */
  readonly ready: string;
  /** The seconds between two polls of a client. */
  readonly pollSeconds: number;
}

/** Starts a program on the core of the server, and waits until it is ready. */
export async function startProgram({ path, flags, args, environment, ready, pollSeconds }: Program) {
  const directory = mkdtempSync(join(tmpdir(), 'flagwire-peer-'));
  const file = join(directory, 'flags.json');
  writeFileSync(file, JSON.stringify(flags));
  const port = await freePort();
  const child = new RunningProcess([path, ...(args?.(file, port) ?? [])], {
    environment: { ...process.env, ...environment?.(file, port) },
    core: SERVER_CORE,
  });
  const stop = async () => {
    await child.stop();
    rmSync(directory, { recursive: true });
  };
  const address = `http://127.0.0.1:${port}`;
  await child.ready(async () => (await fetch(address + ready)).ok);
  return {
    ...{ pid: child.pid, stop, address },
    target: { addresses: (await findLoopback(port)).map((host) => ({ host, port })), key: '' },
    client: { kind: 'polling', seconds: pollSeconds },
  } as const;
}

/** Why a program cannot be started. Undefined if it can. @param variable the environment variable with its path */
export function whyMissing(path: string, variable: string): string | undefined {
  const { error } = spawnSync(path, ['--help']);
  return error && `${path} is not there: install it, or set ${variable} to its path`;
}
