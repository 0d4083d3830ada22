import { noteSkipped } from '../testRun.ts';

/** The fields of jest's results that are used. */
export interface Results {
  readonly testResults: readonly {
    readonly testResults: readonly { readonly ancestorTitles: readonly string[]; readonly fullName: string }[];
  }[];
}

/** The name of a group of tests, with the reason why they are skipped. */
export function markSkipped(name: string, reason: string): string {
  return `${name} (skipped: ${reason})`;
}

/** jest's reporter of tests that are skipped because the machine lacks something. It counts those that the run was to run. */
// biome-ignore lint/style/noDefaultExport: jest asks for it.
export default class SkippedReporter {
  readonly #chosen: RegExp;

  constructor({ testNamePattern }: { readonly testNamePattern?: string }) {
    this.#chosen = new RegExp(testNamePattern ?? '', 'i');
  }

  onRunComplete(_: unknown, { testResults }: Results): void {
    for (const { ancestorTitles, fullName } of testResults.flatMap((file) => file.testResults)) {
      const [, reason] = / \(skipped: (.*)\)$/m.exec(ancestorTitles.join('\n')) ?? [];
      if (reason !== undefined && this.#chosen.test(fullName)) noteSkipped('test', reason);
    }
  }
}
