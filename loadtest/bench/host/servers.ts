import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const root = join(import.meta.dirname, '..', '..', '..');

/** A process of ours, held to one core where `taskset` is there. */
export class Pinned {
  readonly child: ChildProcess;
  output = '';

  constructor(core: number, file: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) {
    const node = [process.execPath, join(root, file), ...args];
    const [command = '', ...rest] = hasTaskset() ? ['taskset', '-c', String(core), ...node] : node;
    this.child = spawn(command, rest, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'inherit'] });
    this.child.stdout?.on('data', (text) => {
      this.output += text;
    });
  }

  /** Waits until it says that it listens. @returns its port */
  async port(): Promise<number> {
    for (;;) {
      const line = this.output.split('\n').find((each) => each.includes('"message":"listening"') && each.endsWith('}'));
      if (line) return JSON.parse(line).port;
      if (this.child.exitCode !== null) throw new Error(`a server ended with ${this.child.exitCode}`);
      await sleep(20);
    }
  }

  async ended(): Promise<void> {
    if (this.child.exitCode === null && this.child.signalCode === null) await once(this.child, 'exit');
  }

  async stop(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.ended();
  }

  /** Processor time so far in seconds and resident memory in MB; NaN where there is no /proc. */
  usage(): { cpuSeconds: number; residentMb: number } {
    try {
      const fields = readFileSync(`/proc/${this.child.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
      const status = readFileSync(`/proc/${this.child.pid}/status`, 'utf8');
      const kilobytes = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]);
      // Fields 14 and 15 of proc(5), in clock ticks of a hundredth of a second.
      return { cpuSeconds: (Number(fields[11]) + Number(fields[12])) / 100, residentMb: kilobytes / 1024 };
    } catch {
      return { cpuSeconds: Number.NaN, residentMb: Number.NaN };
    }
  }
}

/** The table that the host reads: the stand-in of `npm start`, on the generator's core, so that it takes none of the server's. */
export class Table {
  readonly environment: Readonly<Record<string, string>>;
  readonly clientKey: string;
  readonly #process: Pinned;
  readonly #directory: string;

  private constructor(process: Pinned, directory: string) {
    const { dynamoDbEndpoint, flagsTable, environment } = JSON.parse(
      readFileSync(join(directory, 'local.json'), 'utf8'),
    );
    this.environment = { ...environment, AWS_ENDPOINT_URL_DYNAMODB: dynamoDbEndpoint, FLAGS_TABLE: flagsTable };
    this.clientKey = JSON.parse(readFileSync(join(directory, 'keys.json'), 'utf8')).client;
    this.#process = process;
    this.#directory = directory;
  }

  static async start(core: number): Promise<Table> {
    const directory = mkdtempSync(join(tmpdir(), 'flagwire-bench-'));
    const process = new Pinned(core, 'infra/local/main.ts', ['--port', '0', '--data', directory]);
    while (!existsSync(join(directory, 'local.json'))) await sleep(50);
    return new Table(process, directory);
  }

  async stop(): Promise<void> {
    await this.#process.stop();
    rmSync(this.#directory, { recursive: true, force: true });
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
