import { createInterface } from 'node:readline/promises';
import type { DroppedSetting } from '../config/recordedSettings.ts';

/** Asks the operator, if there is a terminal. */
export interface Prompt {
  readonly isTerminal: boolean;
  ask(question: string): Promise<string>;
}

/** Asks at this process's terminal. */
export const terminalPrompt: Prompt = {
  isTerminal: process.stdin.isTTY === true && process.stderr.isTTY === true,
  ask: async (question) => {
    const lines = createInterface({ input: process.stdin, output: process.stderr });
    try {
      return await lines.question(question);
    } finally {
      lines.close();
    }
  },
};

/**
 * Lists settings that the deployment would drop, and asks for consent.
 *
 * @param file name of the file that lacks them
 * @returns whether to deploy; without a terminal, only if `isAccepted`
 */
export async function acceptDropped(
  dropped: readonly DroppedSetting[],
  file: string,
  isAccepted: boolean,
  say: (line: string) => void,
  prompt: Prompt,
): Promise<boolean> {
  if (dropped.length === 0) return true;
  say(`${file} lacks settings of the current deployment, or sets them to their default:`);
  for (const { key, before, after } of dropped)
    say(`  ${key}: ${JSON.stringify(before)} becomes ${after === undefined ? 'unset' : JSON.stringify(after)}`);
  const groups = ['host', 'fargate'].filter((group) =>
    dropped.some(({ key, isGroupGone }) => isGroupGone && key.split('.')[0] === group),
  );
  for (const group of groups) say(`  The stack of ${group} is not deleted. Delete it yourself.`);
  if (isAccepted) return true;
  if (prompt.isTerminal) {
    // Ctrl-C and Ctrl-D reject: they mean no.
    const answer = await prompt.ask('Deploy without them? [y/N] ').catch(() => '');
    return /^y(es)?$/i.test(answer.trim());
  }
  say(`Nothing was deployed. Add the settings to ${file}, or deploy with --accept-dropped.`);
  return false;
}
