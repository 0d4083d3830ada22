import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { repositoryRoot } from '../../infra/repository.ts';
import { timeouts } from '../../shared/testing/until.ts';
import { type Ask, type Handlers, requestsTo } from './ipc.ts';
import { hasTaskset } from './machine.ts';

/** Minimum number of newest characters of a process's output that are kept. The maximum is twice as many. */
const KEPT = 4 * 1024 * 1024;

/** Servers of this repository log this text and their port once they accept connections. */
const LISTENING = '"message":"listening"';
const LISTEN_DEADLINE_MS = 60_000;

/** The signal for each child when this process exits. */
const children = new Map<ChildProcess, NodeJS.Signals>();
process.on('exit', () => {
  for (const [child, signal] of children) child.kill(signal);
});

/** A program and its arguments. */
export type CommandLine = readonly [program: string, ...args: string[]];

/** Options of a process. */
export interface ProcessOptions {
  /** All of its environment variables; those of this process by default. */
  readonly environment?: NodeJS.ProcessEnv;
  readonly cwd?: string;
  /** The core that it is pinned to, where `taskset` is installed. */
  readonly core?: number;
  /** Destination of its output. The default is {@link RunningProcess.output}. */
  readonly stdout?: 'pipe' | 'inherit' | 'ignore';
  readonly stderr?: 'pipe' | 'inherit' | 'ignore';
  /** True if it gets input. */
  readonly hasInput?: boolean;
  /** True if it answers requests (`ipc.ts`). */
  readonly hasIpc?: boolean;
  /** Its signal when this process exits; `SIGKILL` by default. */
  readonly exitSignal?: NodeJS.Signals;
  /** After which it is ended. */
  readonly timeoutMs?: number;
  /** Ends it. */
  readonly signal?: AbortSignal;
}

/** The command line of a program of this repository. @param file its path from the root @param runtime what runs it */
export function ofRepository(file: string, args: readonly string[] = [], ...runtime: readonly string[]): CommandLine {
  const [program = process.execPath, ...flags] = runtime;
  return [program, ...flags, join(repositoryRoot, file), ...args];
}

/** An environment with the given variables, PATH and the cache of compiled code, and nothing else. */
export function cleanEnvironment(variables: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  return { PATH: process.env['PATH'], NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'], ...variables };
}

/** A child process. None outlives this one, unless this one is killed. */
export class RunningProcess {
  /** Its newest output to pipes. */
  output = '';
  /** Its exit code once all of its output is read, null when a signal ended it. Rejects when it cannot be started. */
  readonly ended: Promise<number | null>;
  protected readonly child: ChildProcess;
  readonly #command: CommandLine;

  constructor(command: CommandLine, options: ProcessOptions = {}) {
    const { environment = process.env, cwd, core, timeoutMs, signal } = options;
    const { stdout = 'pipe', stderr = 'pipe', hasInput = false, hasIpc = false, exitSignal = 'SIGKILL' } = options;
    const pinned = core === undefined || !hasTaskset() ? command : ['taskset', '-c', String(core), ...command];
    const [program = '', ...args] = pinned;
    this.#command = command;
    this.child = spawn(program, args, {
      env: environment,
      stdio: [hasInput ? 'pipe' : 'ignore', stdout, stderr, ...(hasIpc ? (['ipc'] as const) : [])],
      ...(cwd !== undefined && { cwd }),
      ...(timeoutMs !== undefined && { timeout: timeoutMs }),
      ...(signal && { signal }),
    });
    children.set(this.child, exitSignal);
    this.child.on('exit', () => children.delete(this.child));
    this.child.on('error', () => {});
    this.ended = once(this.child, 'close').then(([code]) => code as number | null);
    this.ended.catch(() => {});
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream?.on('data', (text) => {
        this.output += text;
        if (this.output.length > 2 * KEPT) this.output = this.output.slice(-KEPT);
      });
    }
  }

  get pid(): number {
    return this.child.pid ?? Number.NaN;
  }

  get isRunning(): boolean {
    return this.child.pid !== undefined && this.exitCode === null && this.child.signalCode === null;
  }

  get exitCode(): number | null {
    return this.child.exitCode;
  }

  /** Sends it a signal and waits for its end. @returns its exit code, null when a signal ended it */
  async stop(signal: NodeJS.Signals = 'SIGKILL'): Promise<number | null> {
    if (!this.isRunning) return this.exitCode;
    const exit = once(this.child, 'exit');
    this.child.kill(signal);
    const [code] = await exit;
    return code as number | null;
  }

  /** Waits until it has printed a text. @throws with its output when it ends before */
  printed(text: string): Promise<void> {
    return this.ready(() => this.output.includes(text));
  }

  /**
   * Waits until a probe succeeds; one that throws says that it does not yet.
   *
   * @throws with its output when it ends before, or takes too long
   */
  async ready(probe: () => unknown, deadlineMs = timeouts().condition): Promise<void> {
    for (const end = Date.now() + deadlineMs; ; await sleep(10)) {
      if (!this.isRunning) throw new Error(`${this.#command.join(' ')} ended with ${await this.ended}: ${this.output}`);
      if (
        await Promise.resolve()
          .then(probe)
          .catch(() => false)
      )
        return;
      if (Date.now() > end)
        throw new Error(`${this.#command.join(' ')} was not ready within ${deadlineMs} ms: ${this.output}`);
    }
  }

  /** Waits until it logs that it listens. @returns that log line */
  async listening(): Promise<Record<string, unknown> & { readonly port: number }> {
    await this.ready(() => this.#logLine(LISTENING), LISTEN_DEADLINE_MS);
    return this.#logLine(LISTENING) as { port: number };
  }

  /** The complete log line that holds a text, read as JSON; undefined when there is none. */
  #logLine(text: string): Record<string, unknown> | undefined {
    const line = this.output
      .split('\n')
      .slice(0, -1)
      .find((each) => each.includes(text));
    return line === undefined ? undefined : JSON.parse(line);
  }

  /** A function that sends requests over IPC. */
  requests<H extends Handlers>(): Ask<H> {
    return requestsTo<H>(this.child);
  }
}
