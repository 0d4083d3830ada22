import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { repositoryRoot } from '../../infra/repository.ts';
import { fitTerminal } from '../../shared/command/npmCommand.ts';
import { commandOf, SUITES, usual } from './suites.ts';
import { runFolder } from './testRun.ts';

/** `npm test`: the checks, and what is tested before each commit; or one suite by its name. */

/** Jest's options for the number of workers. */
const WORKERS = /^(--maxWorkers|-w|--runInBand|-i)\b/;

const [name, ...rest] = process.argv.slice(2);
if (name === '--help' || name === '-h') console.log(fitTerminal(help()));
else if (name === undefined) process.exitCode = await runUsual();
else process.exitCode = await runSuite(name);

async function runUsual(): Promise<number> {
  // One list of what was skipped, at the end.
  runFolder();
  return (await run(['npm', 'run', '--silent', 'check'])) || (await run(usual));
}

async function runSuite(name: string): Promise<number> {
  const suite = SUITES[name];
  if (suite) return run(withArguments(commandOf(suite)));
  console.error(`error: there is no suite ${name}: npm test -- --help lists them`);
  return 2;
}

/** A suite's command with the user's arguments. Jest ignores a second number of workers, so the user's replaces the suite's. */
function withArguments(command: readonly string[]): readonly string[] {
  const at = rest.findIndex((part) => WORKERS.test(part));
  if (at === -1) return [...command, ...rest];
  const workers = rest.splice(at, /^(--maxWorkers|-w)$/.test(rest[at] ?? '') ? 2 : 1);
  const others = command.filter((part, n) => !WORKERS.test(part) && command[n - 1] !== '--maxWorkers');
  return [...others, ...workers, ...rest];
}

/** Runs a command to its end, and passes signals on. @returns its exit code */
async function run([program = '', ...args]: readonly string[]): Promise<number> {
  const child = spawn(program, args, { cwd: repositoryRoot, stdio: 'inherit' });
  const passOn = (signal: NodeJS.Signals) => child.kill(signal);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, passOn);
  const [code] = (await once(child, 'exit')) as [number | null];
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, passOn);
  return code ?? 1;
}

function help(): string {
  const suites = Object.entries(SUITES).map(
    ([suite, { about, needs, minutes }]) =>
      `  ${suite.padEnd(16)}${about}\n${' '.repeat(18)}${minutes} min${needs ? `; needs ${needs}` : ''}`,
  );
  return `Usage: npm test -- [suite] [arguments]

Without a suite, the command runs the static checks (npm run check), unit tests, property tests, and conformance tests on npm start.
It needs only Node. Tests that need Python 3.10, Go 1.26, openssl, curl, git, bash, zsh, ps or a network are skipped without them.
The last lines of the output say what was skipped. If CI is set, all of these are required.

Suites, with their duration on two cores:
${suites.join('\n')}

The arguments are files, folders or options for jest, or for bun test with the suite bun.

Examples:
  npm test -- unit shared/flags
  npm test -- conformance host -t 'data-sync'

Exit code: 0 if all tests passed, 1 if a test failed, 2 if the suite is unknown.`;
}
