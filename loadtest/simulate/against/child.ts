import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

/** A process of ours that answers each message with one. */
export class Child {
  readonly #process: ChildProcess;
  readonly #ended: Promise<never>;
  /** What it said first. */
  readonly ready: Promise<unknown>;

  /**
   * @param module beside this one
   * @param execPath what runs it: Node unless given
   */
  constructor(module: string, args: readonly string[], execPath = process.execPath) {
    // What functions log is no result.
    const stdio = ['ignore', 'ignore', 'inherit', 'ipc'] as const;
    this.#process = fork(new URL(module, import.meta.url), args, { execPath, stdio: [...stdio] });
    this.#ended = once(this.#process, 'exit').then(([code]) => {
      throw new Error(`${module} ended with ${code}`);
    });
    this.#ended.catch(() => {});
    this.ready = this.#next();
  }

  /** @throws Error when it ends before it answers */
  ask(message: object): Promise<unknown> {
    const answer = this.#next();
    this.#process.send(message);
    return answer;
  }

  async stop(): Promise<void> {
    this.#process.kill();
    await this.#ended.catch(() => {});
  }

  async #next(): Promise<unknown> {
    const [message] = await Promise.race([once(this.#process, 'message'), this.#ended]);
    return message;
  }
}
