import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** How much of a process's output is kept, in characters: the newest, and up to twice as many. */
const KEPT = 4 * 1024 * 1024;

/** None of them outlives this process, however that ends in order. */
const children = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});

/** A process of its own, which can be killed. */
export abstract class RunningProcess {
  /** What it has written so far; of very much, the end. */
  output = '';
  readonly #child: ChildProcess;

  protected constructor(child: ChildProcess) {
    this.#child = child;
    children.add(child);
    child.on('exit', () => children.delete(child));
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (text) => {
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
}
