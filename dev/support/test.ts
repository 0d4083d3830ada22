import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { repositoryRoot } from '../../infra/repository.ts';
import { SUITES, usual } from './suites.ts';

/** `npm test`: the checks, and what is tested before each commit; or one suite by its name. */

const [name, ...rest] = process.argv.slice(2);
if (name === '--help' || name === '-h') console.log(help());
else if (name === undefined) process.exitCode = (await run(['npm', 'run', '--silent', 'check'])) || (await run(usual));
else process.exitCode = await runSuite(name);

async function runSuite(name: string): Promise<number> {
  const suite = SUITES[name];
  if (suite) return run([...suite.command, ...rest]);
  console.error(`error: there is no suite ${name}: npm test -- --help lists them`);
  return 2;
}

/** Runs a command to its end, with the signals that come meanwhile. @returns its exit code */
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

Without a suite it runs the checks (npm run check), unit and property tests, and conformance on the gateway.

Suites, with their time on two cores:
${suites.join('\n')}

Arguments are files, folders or options. They are passed to jest, and for the suite bun to bun test.

Examples:
  npm test -- unit shared/flags
  npm test -- conformance host -t 'data-sync'

Exit code: 0 passed, 1 failed, 2 an unknown suite.`;
}
