import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { cacheDirectory } from '../../../../infra/cacheDirectory.ts';
import { hostRuntime, programOf } from '../../../../infra/hostRuntime.ts';
import { repositoryRoot } from '../../../../infra/repository.ts';
import { ofRepository, RunningProcess } from '../../../support/runningProcess.ts';
import { type PythonTool, pythonEnvironment } from '../../../support/tools/python.ts';
import { type PartOutcome, Problems } from '../part.ts';
import type { Progress } from '../progress.ts';
import { type CaseOutcome, judgeCases } from './cases.ts';

const kosoku: PythonTool = { name: 'kosoku', requirements: join(import.meta.dirname, 'requirements.txt') };

/** Number of cases in this version of the runner. */
const CASES = 517;

/** A run takes some seconds; one that takes so long does not end. */
const LONGEST_MS = 300_000;

/** Cases at the same time. */
const PARALLEL = 4;

/** The runner's report of the last run: a page for each case, with all messages. */
const reports = join(cacheDirectory, 'autobahn');

/**
 * Runs all of Autobahn's cases against the host's transport.
 *
 * @throws {Error} when the runner cannot be installed
 */
export async function autobahn(progress: Progress, signal: AbortSignal): Promise<PartOutcome> {
  const commands = await pythonEnvironment(kosoku, (line) => progress.say(line));
  const program = ofRepository('dev/verify/torture/autobahn/testing/echoServer.ts', [], programOf(hostRuntime()));
  const server = new RunningProcess(program, { stderr: 'inherit' });
  try {
    const { port } = await server.listening();
    progress.say('autobahn host: running all cases');
    const outcomes = await runCases(join(commands, 'kosoku'), port, signal);
    const { passed, differ, failed } = judgeCases(outcomes);
    const problems = new Problems((text) => progress.say(`host: ${text}`));
    for (const id of failed) problems.add(`Autobahn’s case ${id}: ${JSON.stringify(outcomes[id])}`);
    const cases = Object.keys(outcomes).length;
    if (cases !== CASES) problems.add(`${cases} of ${CASES} of Autobahn’s cases were run`);
    if (!server.isRunning) problems.add(`the server ended with ${server.exitCode}`);
    const ways = [...differ].map(([{ why }, count]) => [`differ: ${why}`, count]);
    return {
      part: 'autobahn',
      target: 'host',
      counts: { cases, passed, ...Object.fromEntries(ways), failed: failed.length },
      problems,
    };
  } finally {
    await server.stop();
  }
}

/** @throws {Error} when the runner has no result */
async function runCases(command: string, port: number, signal: AbortSignal): Promise<Record<string, CaseOutcome>> {
  rmSync(reports, { recursive: true, force: true });
  const options = ['--parallelism', String(PARALLEL), '--outdir', reports];
  const runner = new RunningProcess([command, ...options, `ws://127.0.0.1:${port}/streaming`], {
    signal,
    timeoutMs: LONGEST_MS,
  });
  await runner.ended;
  const index = join(reports, 'index.json');
  if (!existsSync(index)) throw new Error(`${command} gave no result; ${relative(repositoryRoot, reports)} is empty`);
  const [outcomes] = Object.values(
    JSON.parse(readFileSync(index, 'utf8')) as Record<string, Record<string, CaseOutcome>>,
  );
  return outcomes ?? {};
}
