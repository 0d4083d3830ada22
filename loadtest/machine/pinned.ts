import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Usage, usageOf } from '../../dev/support/usage.ts';
import { programOf, type Runtime } from '../../infra/hostRuntime.ts';

/** What is measured has a core for itself; the generator, and the table, have another. */
export const SERVER_CORE = 0;
export const GENERATOR_CORE = 1;

const root = join(import.meta.dirname, '..', '..');

/** How a program of this project is started. */
interface Program {
  readonly core: number;
  /** From the project's root. */
  readonly file: string;
  readonly args?: readonly string[];
  /** What runs it; this Node unless told otherwise. */
  readonly runtime?: Runtime;
  /** Its flags. */
  readonly flags?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** A process of ours, held to one core where `taskset` is there, with an IPC channel. */
export class Pinned {
  readonly child: ChildProcess;
  output = '';

  constructor({ core, file, args = [], runtime = 'node', flags = [], env = {} }: Program) {
    const program = [programOf(runtime), ...flags, join(root, file), ...args];
    const [command = '', ...rest] = hasTaskset() ? ['taskset', '-c', String(core), ...program] : program;
    this.child = spawn(command, rest, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
    this.child.stdout?.on('data', (text) => {
      this.output += text;
    });
  }

  /** Waits until it says that it listens. @returns its port @throws when it ends before */
  async port(): Promise<number> {
    for (;;) {
      const line = this.output.split('\n').find((each) => each.includes('"message":"listening"') && each.endsWith('}'));
      if (line) return JSON.parse(line).port;
      if (this.child.exitCode !== null) throw new Error(`a server ended with ${this.child.exitCode}`);
      await sleep(20);
    }
  }

  get pid(): number {
    return this.child.pid ?? Number.NaN;
  }

  async stop(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    this.child.kill(signal);
    if (this.child.exitCode === null && this.child.signalCode === null) await once(this.child, 'exit');
  }

  usage(): Usage {
    return usageOf(this.pid);
  }
}

/** Whether processes can be held to cores here. */
export function hasTaskset(): boolean {
  try {
    execFileSync('taskset', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Holds this process to a core, so that it takes nothing of another. */
export function pinMyself(core: number): void {
  if (hasTaskset()) execFileSync('taskset', ['-cp', String(core), String(process.pid)], { stdio: 'ignore' });
}
