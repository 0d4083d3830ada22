import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { repositoryRoot } from '../../infra/repository.ts';
import { until } from '../../shared/testing/until.ts';

/** How much of a process's output is kept, in characters: the newest, and up to twice as many. */
const KEPT = 4 * 1024 * 1024;

/** None of them outlives this process, however that ends in order. */
const children = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});

/** A program and its arguments. */
type CommandLine = readonly [program: string, ...args: string[]];

/** The command line of a program of this repository. @param file its path from the root @param runtime what runs it */
export function ofRepository(file: string, args: readonly string[] = [], runtime = process.execPath): CommandLine {
  return [runtime, join(repositoryRoot, file), ...args];
}

/** A program as a process of its own, which can be killed. */
export abstract class RunningProcess {
  /** What it has written so far; of very much, the end. */
  output = '';
  readonly #command: CommandLine;
  readonly #child: ChildProcess;

  /** @param environment its variables besides PATH and where compiled code is kept; it inherits no other */
  protected constructor(command: CommandLine, environment: NodeJS.ProcessEnv) {
    const [program, ...args] = command;
    const child = spawn(program, args, {
      env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'], ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#command = command;
    this.#child = child;
    children.add(child);
    child.on('exit', () => children.delete(child));
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (text) => {
        this.output += text;
        if (this.output.length > 2 * KEPT) this.output = this.output.slice(-KEPT);
      });
    }
  }

  get pid(): number {
    return this.#child.pid ?? Number.NaN;
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Sends it a signal and waits for its end. @returns its exit code, null when a signal ended it */
  async stop(signal: NodeJS.Signals): Promise<number | null> {
    if (!this.isRunning) return this.#child.exitCode;
    const exit = once(this.#child, 'exit');
    this.#child.kill(signal);
    const [code] = await exit;
    return code as number | null;
  }

  /** Waits until it has printed a text. @throws with its output when it ends before */
  protected printed(text: string): Promise<void> {
    return this.comesUp(async () => this.output.includes(text));
  }

  /** Waits until it is up; a question that fails says that it is not. @throws with its output when it ends before */
  protected async comesUp(isUp: () => Promise<boolean>): Promise<void> {
    await until(async () => !this.isRunning || (await isUp().catch(() => false)));
    if (!this.isRunning)
      throw new Error(`${this.#command.join(' ')} ended with ${this.#child.exitCode}: ${this.output}`);
  }

  /** The log line that holds a text, read as JSON; empty when there is none. */
  protected logLine(text: string): Record<string, unknown> {
    const line = this.output.split('\n').find((each) => each.includes(text));
    return JSON.parse(line ?? '{}');
  }
}
