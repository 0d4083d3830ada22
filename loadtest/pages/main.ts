import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Option } from 'commander';
import { figuresTable } from '../../shared/command/figuresTable.ts';
import { npmCommand } from '../../shared/command/npmCommand.ts';
import { ageOf, originOf } from './age.ts';
import { make, runIn, SIGNALS } from './make.ts';
import { digestOf, noteMeasured } from './measuredCode.ts';
import { MEASUREMENTS, type Measurement } from './measurements.ts';
import { PAGES, readFrom } from './pages.ts';
import { Made } from './progress.ts';

const root = join(import.meta.dirname, '..', '..');

/** The cost model's, which takes some of the kept figures. */
const COST_PAGE = 'docs/cost.md';

const HELP = `
Measurements, about how many minutes each takes on two cores that do nothing else, and the pages that tell of it:
${Object.entries(MEASUREMENTS)
  .map(([name, { minutes, pages }]) => `  ${name.padEnd(12)}${String(minutes).padStart(4)}  ${pages.join(', ')}`)
  .join('\n')}

Each figure is stamped with command, commit, machine and date by the command that measured it. When all are made, the pages that are made of kept
figures are written, and git shows what changed in README.md and docs. Ctrl-C ends it; --resume goes on from there.

Exit code: 0 done, 1 a measurement or a page failed and stays as it was, 2 wrong arguments.`;

interface Options {
  readonly only?: readonly string[];
  readonly render?: boolean;
  readonly list?: boolean;
  readonly resume?: boolean;
}

const program = npmCommand('results', 'Makes the figures of README.md and docs/results again, and shows what changed.')
  .addOption(new Option('--only <name...>', 'these measurements, and their pages').choices(Object.keys(MEASUREMENTS)))
  .option('--render', 'measure nothing: write the pages again, of the figures that are kept')
  .option('--list', 'measure and write nothing: tell how old each measurement is, and how it is made again')
  .addOption(new Option('--resume', 'leave out what was made before an interruption').conflicts(['render', 'list']))
  .addHelpText('after', HELP)
  .parse();

const { only, render, list, resume } = program.opts<Options>();
const chosen = Object.entries(MEASUREMENTS).filter(([name]) => only?.includes(name) ?? true);
if (list) console.log(listed());
else {
  const failed = [...(render ? [] : await measure()), ...(await write())];
  git('diff', '--stat', '--', 'README.md', 'docs');
  git('diff', '--unified=0', '--word-diff', '--', 'README.md', 'docs/*.md');
  for (const why of failed) say(`${why}; what was there stays as it was`);
  process.exitCode = failed.length > 0 ? 1 : 0;
}

/** @returns what failed, and why */
async function measure(): Promise<string[]> {
  const made = new Made(join(root, 'dist/results'));
  if (!resume) made.clear();
  const left = chosen.filter(([name]) => !made.names.includes(name));
  const failed: string[] = [];
  let isInterrupted = false;
  for (const signal of SIGNALS)
    process.on(signal, () => {
      isInterrupted = true;
    });
  for (const [n, [name, measurement]] of left.entries()) {
    if (isInterrupted) break;
    say(
      `${n + 1} of ${left.length}: ${name}, some ${measurement.minutes} minutes (${minutesOf(left.slice(n))} for all that is left)`,
    );
    const code = digestOf(root, measurement.code);
    const why = await make(root, measurement, runIn(root));
    if (why !== undefined) {
      failed.push(`${name}: ${why}`);
      continue;
    }
    made.add(name);
    const { commit } = originOf(readFileSync(join(root, measurement.figures), 'utf8'));
    if (commit !== undefined) noteMeasured(root, name, { commit, code });
  }
  if (isInterrupted) say('interrupted: npm run results -- --resume goes on from here');
  return failed;
}

/** @returns pages that could not be written, and why */
async function write(): Promise<string[]> {
  const named = new Set(chosen.flatMap(([, { pages }]) => pages));
  const failed = Object.entries(PAGES).flatMap(([path, page]) => {
    if (only && !named.has(path)) return [];
    try {
      writeFileSync(join(root, path), page(readFrom(root)));
      return [];
    } catch (error) {
      return [`${path}: ${(error as Error).message}`];
    }
  });
  if (!named.has(COST_PAGE)) return failed;
  const code = await runIn(root)('cost', ['docs']);
  return code === 0 ? failed : [...failed, `${COST_PAGE}: npm run cost -- docs ended with ${code}`];
}

function listed(): string {
  const rows = chosen.map(([name, measurement]) => {
    const { commit = '–', on = '–', state } = ageOf(root, name, measurement);
    return [name, state, on, commit, String(measurement.minutes)];
  });
  const again = 'npm run results -- --only <measurement...> makes them again, and their pages.';
  return `${figuresTable(['measurement', 'figures', 'of', 'commit', 'minutes'], rows)}\n${again}`;
}

function minutesOf(left: readonly (readonly [string, Measurement])[]): string {
  return `${left.reduce((sum, [, { minutes }]) => sum + minutes, 0)}`;
}

function git(...args: string[]): void {
  execFileSync('git', ['--no-pager', ...args], { cwd: root, stdio: 'inherit' });
}

function say(line: string): void {
  console.error(`results: ${line}`);
}
