import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const root = join(import.meta.dirname, '..', '..', '..');

/** How a program of this project is started. */
export interface Program {
  readonly core: number;
  /** From the project's root. */
  readonly file: string;
  readonly args?: readonly string[];
  readonly nodeFlags?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** What a process has used so far; NaN where there is no /proc. */
export interface Usage {
  readonly cpuSeconds: number;
  /** Resident memory in bytes: now, and the most so far. */
  readonly resident: number;
  readonly peakResident: number;
}

/** A process of ours, held to one core where `taskset` is there, with an IPC channel. */
export class Pinned {
  readonly child: ChildProcess;
  output = '';

  constructor({ core, file, args = [], nodeFlags = [], env = {} }: Program) {
    const node = [process.execPath, ...nodeFlags, join(root, file), ...args];
    const [command = '', ...rest] = hasTaskset() ? ['taskset', '-c', String(core), ...node] : node;
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

  async stop(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    this.child.kill(signal);
    if (this.child.exitCode === null && this.child.signalCode === null) await once(this.child, 'exit');
  }

  usage(): Usage {
    try {
      const fields = readFileSync(`/proc/${this.child.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
      const status = readFileSync(`/proc/${this.child.pid}/status`, 'utf8');
      const bytes = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) * 1024;
      // Fields 14 and 15 of proc(5), in clock ticks of a hundredth of a second.
      const cpuSeconds = (Number(fields[11]) + Number(fields[12])) / 100;
      return { cpuSeconds, resident: bytes('VmRSS'), peakResident: bytes('VmHWM') };
    } catch {
      return { cpuSeconds: Number.NaN, resident: Number.NaN, peakResident: Number.NaN };
    }
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
