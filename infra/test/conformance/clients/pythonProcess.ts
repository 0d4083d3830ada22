import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { PythonError, pythonEnvironment } from '../../tools/python.ts';

const directory = join(import.meta.dirname, 'python');

/** A program in the folder `python`, and what it runs with. */
interface PythonProgram {
  /** What it is, for messages. */
  readonly name: string;
  /** The list of what it needs, as a file of that folder. */
  readonly requirements: string;
  readonly script: string;
  readonly parameters: readonly string[];
}

/** A Python program that answers a line with a line of JSON, in a process of its own. */
export class PythonProcess<Told> {
  readonly #name: string;
  readonly #process: ChildProcess;
  readonly #lines: AsyncIterator<string>;

  private constructor(name: string, process: ChildProcess) {
    this.#name = name;
    this.#process = process;
    if (!process.stdout) throw new Error('the process has no output');
    this.#lines = createInterface(process.stdout)[Symbol.asyncIterator]();
  }

  /**
   * Starts a program; what it needs is installed on first use.
   *
   * @returns undefined when that cannot be installed, which is told with what to do about it
   * @throws {PythonError} where CI is set: there it is required
   */
  static async start<Told>(program: PythonProgram): Promise<PythonProcess<Told> | undefined> {
    const { name, script, parameters } = program;
    const say = (line: string) => process.stderr.write(`conformance: ${line}\n`);
    try {
      const commands = await pythonEnvironment({ name, requirements: join(directory, program.requirements) }, say);
      const command = [join(directory, script), ...parameters];
      const child = spawn(join(commands, 'python'), command, { stdio: ['pipe', 'pipe', 'ignore'] });
      return new PythonProcess<Told>(name, child);
    } catch (error) {
      if (!(error instanceof PythonError) || process.env['CI']) throw error;
      say(`${error.message} The suite goes on without it; where CI is set, it is required.`);
      return undefined;
    }
  }

  /** What it answers to a line. @throws when its process has ended */
  async ask(line: string): Promise<Told> {
    this.#process.stdin?.write(`${line}\n`);
    const { value, done } = await this.#lines.next();
    if (done) throw new Error(`the process of ${this.#name} has ended`);
    return JSON.parse(value) as Told;
  }

  close(): void {
    this.#process.kill('SIGKILL');
  }
}
