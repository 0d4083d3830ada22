import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { goProgram } from '../../../dev/support/tools/go.ts';

/** The source of the program, with its module. */
export const GO_FEATURE_FLAG = join(import.meta.dirname, 'goFeatureFlag');

/** The text of a configuration, and the contexts to evaluate it for. */
interface Question {
  readonly json?: string;
  readonly yaml?: string;
  readonly contexts: readonly { readonly key: string; readonly attributes: object }[];
}

/**
 * The values of each flag in the order of the contexts, null where SDKs return the default in the code. No flags if the
 * configuration is refused.
 */
type Answer = Readonly<Record<string, readonly unknown[]>>;

/** GO Feature Flag's own evaluator, a Go program. */
export async function startGoFeatureFlag() {
  const program = await goProgram(GO_FEATURE_FLAG, (line) => process.stderr.write(`${line}\n`));
  const child = spawn(program, { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  return {
    async evaluate(question: Question): Promise<Answer> {
      child.stdin.write(`${JSON.stringify(question)}\n`);
      const { value, done } = await lines.next();
      if (done) throw new Error('GO Feature Flag’s evaluator has ended');
      return JSON.parse(value);
    },
    close: () => child.stdin.end(),
  };
}
