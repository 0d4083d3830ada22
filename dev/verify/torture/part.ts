import type { RunInfo } from '../../support/runInfo.ts';
import type { ServiceName } from './service.ts';

/** The work of one part on one target. */
export interface PartOutcome {
  readonly part: 'fuzz' | 'linearize';
  readonly target: ServiceName;
  /** Repeats the run. */
  readonly seed: number;
  /** Counts by their names, in the order of the report. */
  readonly counts: Readonly<Record<string, number>>;
  readonly problems: Problems;
}

/** The result of one part on one target. */
export type PartResult = Awaited<ReturnType<typeof measurePart>>;

/** Runs a part. @returns its result, with its duration, the number of problems and the first ones */
export async function measurePart(run: () => Promise<PartOutcome>) {
  const startedAt = performance.now();
  const { problems, counts, ...rest } = await run();
  const seconds = (performance.now() - startedAt) / 1_000;
  return { ...rest, seconds, counts, problems: problems.count, examples: problems.examples };
}

/** Maximum number of problems that are printed and kept. */
const EXAMPLES = 50;

/** Counts problems, and keeps the first ones. */
export class Problems {
  readonly examples: string[] = [];
  readonly #say: (text: string) => void;
  count = 0;

  /** @param say prints each of the first problems */
  constructor(say: (text: string) => void = () => {}) {
    this.#say = say;
  }

  add(text: string): void {
    this.count++;
    if (this.examples.length >= EXAMPLES) return;
    this.examples.push(text);
    this.#say(text);
  }
}

/** The content of torture.json. */
export interface Report extends RunInfo {
  readonly results: readonly PartResult[];
}

/** Prints a line on stderr. */
export function say(text: string): void {
  process.stderr.write(`${text}\n`);
}
