import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { npmCommand } from '../../../shared/command/npmCommand.ts';
import { describeCommit } from '../../support/machine.ts';
import { exitCodeOf, rowOf, scoreOf, withRow } from './score.ts';
import { ENVIRONMENT, FOLDERS, LEAST_SCORE, settingsOf } from './settings.ts';

const root = join(import.meta.dirname, '../../..');
const page = join(root, 'docs/results/mutation.md');

/** `npm run mutate`: how many small changes of the sources the tests beside them notice, folder by folder. */
const program = npmCommand(
  'mutate',
  'Changes the sources of a folder, one small thing at a time, and counts how often a test beside them fails.',
)
  .argument('[folders...]', 'folders such as shared/flags', FOLDERS)
  .option('--fresh', 'test every mutant again, not only those that changed or whose tests changed')
  .addHelpText(
    'after',
    `\nPrints each mutant that survived, and writes the score to docs/results/mutation.md.` +
      `\n\nExit code: 0 every folder scores ${LEAST_SCORE} % or more, 1 one does not, 2 one has no score because a test\nfailed before, or the arguments are wrong.`,
  )
  .parse();

process.chdir(root);
// It takes hours, so other programs go first.
setPriority(10);
Object.assign(process.env, ENVIRONMENT);
const commit = describeCommit('shared', 'functions');
const percents: (number | undefined)[] = [];
for (const folder of foldersOf(program.args)) percents.push(await measure(folder));
process.exitCode = exitCodeOf(percents);

/** @returns the score in percent; undefined when there is none */
async function measure(folder: string): Promise<number | undefined> {
  try {
    const { Stryker } = await import('@stryker-mutator/core');
    const results = await new Stryker(settingsOf(folder, program.opts()['fresh'] === true)).runMutationTest();
    const score = scoreOf(results.map(({ status }) => status));
    const date = new Date().toISOString().slice(0, 10);
    writeFileSync(page, withRow(readFileSync(page, 'utf8'), rowOf(folder, score, date, commit)));
    console.log(`${folder}: ${score.percent.toFixed(1)} % of ${score.mutants} mutants were noticed`);
    return score.percent;
  } catch (error) {
    console.error(`mutate: ${folder} has no score: ${(error as Error).message}`);
    return undefined;
  }
}

function foldersOf(args: readonly string[]): readonly string[] {
  const folders = args.map((folder) => folder.replace(/\/$/, ''));
  for (const folder of folders) {
    if (!existsSync(folder)) program.error(`There is no folder ${folder} in ${root}: name one such as ${FOLDERS[0]}.`);
  }
  return folders.length > 0 ? folders : FOLDERS;
}
