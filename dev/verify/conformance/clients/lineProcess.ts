import { createInterface } from 'node:readline';
import { until } from '../../../../shared/testing/until.ts';
import { RunningProcess } from '../../../support/runningProcess.ts';

/** A program that answers each line with a line of JSON. */
export class LineProcess<Answer> extends RunningProcess {
  readonly #name: string;
  readonly #lines: AsyncIterator<string>;

  /** Starts it. @param name what it is, for messages */
  constructor(name: string, program: string, parameters: readonly string[]) {
    super([program, ...parameters], { hasInput: true, stderr: 'ignore' });
    this.#name = name;
    this.#lines = createInterface(this.child.stdout as NodeJS.ReadableStream)[Symbol.asyncIterator]();
  }

  /** Sends a line. @returns its answer @throws when the process has ended */
  async askLine(line: string): Promise<Answer> {
    this.child.stdin?.write(`${line}\n`);
    const { value, done } = await this.#lines.next();
    if (done) throw new Error(`the process of ${this.#name} has ended`);
    return JSON.parse(value) as Answer;
  }

  close(): void {
    this.child.kill('SIGKILL');
  }
}

/** The state of a server-side SDK, as its process reports it. */
interface SdkState {
  readonly value: unknown;
  /** The number of flags that it has. */
  readonly flags: number;
  /** The number of connections that it has opened. */
  readonly connections: number;
}

/** One of FeatBit's server-side SDKs in its own process, as published. A line is the key of a flag. */
export class DrivenSdk extends LineProcess<SdkState> {
  /** Waits until a flag has this value, and the SDK has this number of flags. */
  becomes(key: string, value: unknown, flags: number): Promise<SdkState> {
    return until(
      () => this.askLine(key),
      (state) => state.value === value && state.flags === flags,
    );
  }
}
