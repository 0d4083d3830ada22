import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { EXIT } from '../runner/outcome.ts';
import { type Measurement, typedCommand } from './measurements.ts';

/** Runs what is typed as `npm run …`. @returns its exit code; undefined when it was interrupted */
export type Run = (script: string, args: readonly string[]) => Promise<number | undefined>;

/** What ends a command; each is passed on to the one that runs. */
export const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Between two looks whether all that a command has started is gone, in milliseconds. */
const LOOK_MS = 100;

/**
 * Runs commands of package.json, which say themselves what they do. A signal goes to all that a command has started, since npm's shell
 * passes none on; the command was then interrupted whatever code it ends with, and is waited for.
 *
 * @param root of the project
 * @param signals who tells of signals
 */
export function runIn(root: string, signals: NodeJS.EventEmitter = process): Run {
  return async (script, args) => {
    const command = ['run', '--silent', script, '--', ...args];
    const child = spawn('npm', command, { cwd: root, stdio: 'inherit', detached: true });
    let isInterrupted = false;
    const passOn = (signal: NodeJS.Signals) => {
      isInterrupted = true;
      signalGroup(child.pid, signal);
    };
    for (const signal of SIGNALS) signals.on(signal, passOn);
    try {
      const [code] = await once(child, 'exit');
      while (isInterrupted && signalGroup(child.pid, 0)) await sleep(LOOK_MS);
      return isInterrupted ? undefined : (code ?? undefined);
    } finally {
      for (const signal of SIGNALS) signals.off(signal, passOn);
    }
  };
}

/** @param signal 0 to ask only @returns whether anybody is left of the group that a process leads */
function signalGroup(leader: number | undefined, signal: NodeJS.Signals | 0): boolean {
  try {
    return leader !== undefined && process.kill(-leader, signal);
  } catch {
    return false;
  }
}

/**
 * Makes a measurement, and keeps its files. Whatever it changed of `docs` before it failed is put back.
 *
 * @param root of the project
 * @returns why it failed; undefined when it did not
 */
export async function make(
  root: string,
  { commands, kept = {}, alsoGood = [] }: Pick<Measurement, 'commands' | 'kept' | 'alsoGood'>,
  run: Run,
): Promise<string | undefined> {
  const docs = join(root, 'docs');
  const before = mkdtempSync(join(tmpdir(), 'flagwire-results-'));
  cpSync(docs, before, { recursive: true });
  try {
    const failed = await firstFailed(root, commands, [0, ...alsoGood], run);
    if (failed === undefined) keep(root, kept);
    else restore(docs, before);
    return failed;
  } catch (error) {
    restore(docs, before);
    return (error as Error).message;
  } finally {
    rmSync(before, { recursive: true });
  }
}

function keep(root: string, kept: NonNullable<Measurement['kept']>): void {
  for (const [from, to] of Object.entries(kept)) {
    mkdirSync(dirname(join(root, to)), { recursive: true });
    copyFileSync(join(root, from), join(root, to));
  }
}

function restore(docs: string, before: string): void {
  rmSync(docs, { recursive: true });
  cpSync(before, docs, { recursive: true });
}

async function firstFailed(
  root: string,
  commands: Measurement['commands'],
  good: readonly number[],
  run: Run,
): Promise<string | undefined> {
  for (const command of commands) {
    let code = await run(...withResume(root, command));
    // The machine was too busy for a run: going on makes that run again, once.
    if (code === EXIT.invalid && command[0] === 'loadtest') code = await run(...withResume(root, command));
    if (code === undefined) return `${typedCommand(command)} was interrupted`;
    if (!good.includes(code)) return `${typedCommand(command)} ended with ${code}`;
  }
  return undefined;
}

/** A campaign that was interrupted goes on where it was. */
function withResume(root: string, [script, ...args]: Measurement['commands'][number]): [string, string[]] {
  const out = args[args.indexOf('--out') + 1] ?? '';
  const isBegun = script === 'loadtest' && existsSync(join(root, out, 'campaign.json'));
  return [script, isBegun ? [...args, '--resume'] : args];
}
