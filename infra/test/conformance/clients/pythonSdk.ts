import { until } from '../../../../shared/testing/until.ts';
import type { Workspace } from '../workspace.ts';
import { PythonProcess } from './pythonProcess.ts';

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

/** FeatBit's Python server SDK, as PyPI has it. */
export class PythonSdk {
  readonly #process: PythonProcess<Told>;

  private constructor(process: PythonProcess<Told>) {
    this.#process = process;
  }

  /** Starts the SDK's releases. @returns those that could be installed; where CI is set, all must be */
  static async startAll({ target, serverKey }: Workspace): Promise<PythonSdk[]> {
    const sdks: PythonSdk[] = [];
    for (const release of RELEASES) {
      const process = await PythonProcess.start<Told>({
        name: `FeatBit’s Python SDK ${release}`,
        requirements: `sdk-${release}.txt`,
        script: 'sdk.py',
        parameters: [target.streamingUrl, target.httpUrl, serverKey],
      });
      if (process) sdks.push(new PythonSdk(process));
    }
    return sdks;
  }

  /** A flag's value for a user, and what else the SDK tells. @throws when its process has ended */
  ask(key: string): Promise<Told> {
    return this.#process.ask(key);
  }

  /** Waits until a flag has this value, and it has so many flags. */
  async becomes(key: string, value: unknown, flags: number): Promise<Told> {
    return until(
      () => this.ask(key),
      (told) => told.value === value && told.flags === flags,
    );
  }

  close(): void {
    this.#process.close();
  }
}
