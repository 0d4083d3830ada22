import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { InvalidArgumentError } from 'commander';
import { repositoryRoot } from '../../../infra/repository.ts';
import { npmCommand } from '../../../shared/command/npmCommand.ts';
import { installManifest } from '../../support/installed.ts';

const HOME = 'dev/verify/mutation';

/** Stryker's settings and copies of the sources; git ignores it. */
const WORK = '.flagwire/mutation';

/** `npm run mutate` counts the small changes of sources in `shared/` that their tests detect. */
const program = npmCommand(
  'mutate',
  'Makes small changes in sources of shared/, one at a time, and counts the changes that no test detects.',
)
  .argument('<place>', 'a folder such as shared/flags, or one source file', place)
  .addHelpText(
    'after',
    '\nExit code: 0 if the tests detect at least 90 % of the changes, otherwise 1. The exit code is also 1 if the unchanged source fails a test.',
  )
  .parse();

const [source = ''] = program.processedArgs as string[];
const isFile = source.endsWith('.ts');
await installManifest(HOME, console.error);
process.chdir(repositoryRoot);
mkdirSync(WORK, { recursive: true });
const settings = join(WORK, 'stryker.json');
const report = join(WORK, 'report.json');
rmSync(report, { force: true });
writeFileSync(
  settings,
  JSON.stringify({
    mutate: isFile ? [source] : [`${source}/**/*.ts`, `!${source}/**/*.test.ts`, `!${source}/**/testing/**`],
    ignorePatterns: ['**', '!package.json', '!shared/**', '!dev/support/jest/**', '!dev/emulator/**'],
    plugins: ['@stryker-mutator/jest-runner'],
    testRunner: 'jest',
    testRunnerNodeArgs: ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'],
    coverageAnalysis: 'perTest',
    jest: {
      config: {
        testMatch: [`<rootDir>/${isFile ? source.replace(/[^/]*$/, '') : `${source}/`}**/*.test.ts`],
        // The packages that it installs are not in the copies.
        globalSetup: null,
        testRunner: 'jest-circus/runner',
      },
    },
    tempDirName: join(WORK, 'copies'),
    // Without a test, Stryker ends with a stack trace unless it may be empty; countMutants() notices.
    allowEmpty: true,
    reporters: ['clear-text', 'progress-append-only', 'json'],
    jsonReporter: { fileName: report },
    clearTextReporter: { allowColor: false, reportTests: false },
    thresholds: { high: 95, low: 90, break: 90 },
  }),
);
// It takes long, so other programs go first.
setPriority(10);
const stryker = join(HOME, 'node_modules/@stryker-mutator/core/bin/stryker.js');
// The same inputs for every mutant, and few of them.
const env = { ...process.env, FC_MAX_RUNS: '25', FC_SEED: '1', TEST_TIMEOUT_MS: '7000' };
const { status } = spawnSync(process.execPath, [stryker, 'run', settings], { stdio: 'inherit', env });
process.exitCode = status ?? 1;
if (status === 0 && countMutants() === 0) {
  console.error(`mutate: nothing was tested: ${source} has no code to change, or no test of its folder imports it.`);
  process.exitCode = 1;
}

/** Mutants of the report; Stryker writes none where no test was run. */
function countMutants(): number {
  if (!existsSync(report)) return 0;
  const { files } = JSON.parse(readFileSync(report, 'utf8')) as { files: Record<string, { mutants: unknown[] }> };
  return Object.values(files).reduce((sum, { mutants }) => sum + mutants.length, 0);
}

function place(text: string): string {
  const path = text.replace(/\/$/, '');
  if (!/^shared\/[^.]/.test(path)) throw new InvalidArgumentError('name a folder or a file of shared/.');
  return path;
}
