import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { until } from '../../../../shared/testing/until.ts';
import { PythonError, pythonEnvironment } from '../../tools/python.ts';
import type { Workspace } from '../workspace.ts';

const directory = join(import.meta.dirname, 'python');

/** Releases that the suite runs: the last that keeps one version of all it has, and the newest, which keeps one for each item. */
const RELEASES = ['1.1.7', '1.2.1'];

/** What the SDK's process tells. */
interface Told {
  readonly value: unknown;
  /** How many flags it has. */
  readonly flags: number;
  /** How often it has connected. */
  readonly connections: number;
}

/** FeatBit's Python server SDK, as PyPI has it, in a process of its own. */
export class PythonSdk {
  readonly #process: ChildProcess;
  readonly #lines: AsyncIterator<string>;

  private constructor(process: ChildProcess) {
    this.#process = process;
    if (!process.stdout) throw new Error('the process has no output');
    this.#lines = createInterface(process.stdout)[Symbol.asyncIterator]();
  }

  /**
   * Starts the SDK's releases, which are installed on first use.
   *
   * @returns none when they cannot be installed, which is told with what to do about it
   * @throws {PythonError} where CI is set: there they are required
   */
  static async startAll(workspace: Workspace): Promise<PythonSdk[]> {
    const say = (line: string) => process.stderr.write(`conformance: ${line}\n`);
    try {
      const sdks: PythonSdk[] = [];
      for (const release of RELEASES) {
        const requirements = join(directory, `sdk-${release}.txt`);
        const commands = await pythonEnvironment({ name: `FeatBit’s Python SDK ${release}`, requirements }, say);
        sdks.push(PythonSdk.#start(join(commands, 'python'), workspace));
      }
      return sdks;
    } catch (error) {
      if (!(error instanceof PythonError) || process.env['CI']) throw error;
      say(`${error.message} The suite goes on without this SDK; where CI is set, it is required.`);
      return [];
    }
  }

  static #start(python: string, { target, serverKey }: Workspace): PythonSdk {
    const script = join(directory, 'sdk.py');
    const { streamingUrl, httpUrl } = target;
    return new PythonSdk(
      spawn(python, [script, streamingUrl, httpUrl, serverKey], { stdio: ['pipe', 'pipe', 'ignore'] }),
    );
  }

  /** A flag's value for a user, and what else the SDK tells. @throws when its process has ended */
  async ask(key: string): Promise<Told> {
    this.#process.stdin?.write(`${key}\n`);
    const { value, done } = await this.#lines.next();
    if (done) throw new Error('the Python SDK’s process has ended');
    return JSON.parse(value) as Told;
  }

  /** Waits until a flag has this value, and it has so many flags. */
  async becomes(key: string, value: unknown, flags: number): Promise<Told> {
    return until(
      () => this.ask(key),
      (told) => told.value === value && told.flags === flags,
    );
  }

  close(): void {
    this.#process.kill('SIGKILL');
  }
}
