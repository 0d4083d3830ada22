import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { repositoryRoot } from '../../../infra/repository.ts';
import { npmCommand } from '../../../shared/command/npmCommand.ts';
import { testPackages } from '../../support/installed.ts';
import { type Requirement, whyMissing } from '../../support/requirement.ts';
import { noteSkipped } from '../../support/testRun.ts';
import { pythonTools } from '../../support/tools/python.ts';
import { cfnLint } from './cfnLint.ts';

/** `npm run check`: what is checked without running a test. Each check is one or more commands, as npm finds them. */
const CHECKS: Readonly<Record<string, readonly string[]>> = {
  format: ['biome check --error-on-warnings .'],
  // What it keeps there saves two thirds of the next run's time.
  types: ['tsconfig.json', 'console/tsconfig.json'].map(
    (project) =>
      `tsc --noEmit --project ${project} --incremental --tsBuildInfoFile node_modules/.cache/flagwire/${project}.tsbuildinfo`,
  ),
  imports: [
    'dev/verify/checks/node_modules/.bin/depcruise --config .dependency-cruiser.cjs shared functions infra loadtest cli console cost dev',
  ],
  folders: ['node dev/verify/checks/folders.ts'],
  expressions: ['node dev/verify/checks/expressions.ts'],
  templates: ['node dev/verify/checks/templates.ts'],
  markdown: ['dev/verify/checks/node_modules/.bin/markdownlint-cli2'],
  results: ['node loadtest/pages/checkResults.ts'],
};

/** Requirements of checks besides Node. Without them, the checks are skipped. */
const NEEDS: Readonly<Record<string, Requirement>> = {
  types: testPackages,
  imports: testPackages,
  expressions: testPackages,
  markdown: testPackages,
  templates: pythonTools(cfnLint),
};

const { args } = npmCommand('check', 'Runs static checks in parallel, and prints their findings.')
  .argument('[check...]', `checks to run: ${Object.keys(CHECKS).join(', ')} (default: all)`)
  .addHelpText('after', '\nExit code: 0 if no check failed, 1 if a check failed, 2 if a check is unknown.')
  .action((names: string[], _, command) => {
    const unknown = names.find((name) => !(name in CHECKS));
    if (unknown !== undefined) command.error(`error: there is no check ${unknown}`);
  })
  .parse();

const chosen = args.length > 0 ? args : Object.keys(CHECKS);
const results = await Promise.all(chosen.map(async (name) => ({ name, failed: await runCheck(name).catch(complain) })));
const failed = results.filter((result) => result.failed).map(({ name }) => name);
if (failed.length > 0) {
  console.error(`npm run check: failed: ${failed.join(', ')}`);
  process.exitCode = 1;
}

function complain({ message }: Error): true {
  console.error(message);
  return true;
}

/**
 * Runs the commands of a check, and prints what they say once they have ended.
 *
 * @returns whether one failed
 * @throws Error that names what the machine lacks, if `CI` is set
 */
async function runCheck(name: string): Promise<boolean> {
  const requirement = NEEDS[name];
  const reason = requirement && (await whyMissing(requirement));
  if (reason !== undefined) {
    noteSkipped(`check of ${name}`, reason);
    return false;
  }
  let hasFailed = false;
  for (const command of CHECKS[name] ?? []) {
    const child = spawn(command, { cwd: repositoryRoot, shell: true, stdio: ['ignore', 'pipe', 'pipe'] });
    const exit = new Promise<number | null>((resolve) => child.once('exit', resolve));
    const [said, complained, code] = await Promise.all([text(child.stdout), text(child.stderr), exit]);
    for (const line of `${said}${complained}`.split('\n')) if (line.trim() !== '') console.error(`[${name}] ${line}`);
    hasFailed ||= code !== 0;
  }
  return hasFailed;
}
