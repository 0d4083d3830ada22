import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/** A program that answers a line with a line of JSON, in a process of its own. */
export class LineProcess<Told> {
  readonly #name: string;
  readonly #process: ChildProcess;
  readonly #lines: AsyncIterator<string>;

  /** Starts it. @param name what it is, for messages */
  constructor(name: string, program: string, parameters: readonly string[]) {
    this.#name = name;
    this.#process = spawn(program, parameters, { stdio: ['pipe', 'pipe', 'ignore'] });
    if (!this.#process.stdout) throw new Error('the process has no output');
    this.#lines = createInterface(this.#process.stdout)[Symbol.asyncIterator]();
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
