import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { logFileOf } from '../../../infra/cacheDirectory.ts';
import { RunningProcess } from '../../support/runningProcess.ts';

const START_DEADLINE_MS = 60_000;

/**
 * A script for bash: runs a command as a process group, with a log file. The group is killed as soon as standard input ends, as it does when
 * the process that started the script ends, however that came about. Then the script removes its folder.
 */
export const GUARD = `exec 3>"$1" >/dev/null 2>&1
shift
set -m
"$@" </dev/null >&3 2>&3 & group=$!
end() { kill -KILL -- -$group; }
trap end INT TERM HUP
{ read -r _; end; } <&0 & reader=$!
wait $group; code=$?
kill -KILL -- -$reader
end; wait $group
rm -rf -- "$PWD"
exit $code`;

/**
 * Starts a server that ends with this process, however this one ends, and leaves only the log of its last run. Waits until it answers.
 *
 * @param environment its environment; given the temporary directory in which it works, and which is removed with it
 * @param healthUrl a URL that it answers with success when it is ready
 * @throws Error naming its log when it ends before, or does not answer
 */
export async function startGuarded(
  name: string,
  command: string,
  environment: (directory: string) => NodeJS.ProcessEnv,
  healthUrl: string,
) {
  const directory = mkdtempSync(join(tmpdir(), `flagwire-${name}-`));
  const logFile = logFileOf(name);
  const server = new RunningProcess(['bash', '-c', GUARD, 'guard', logFile, command], {
    cwd: directory,
    environment: environment(directory),
    hasInput: true,
    exitSignal: 'SIGTERM',
  });
  const stop = () => server.stop('SIGTERM');
  try {
    await server.ready(async () => (await fetch(healthUrl)).ok, START_DEADLINE_MS);
  } catch {
    await stop();
    throw new Error(`${name} did not answer within ${START_DEADLINE_MS / 1000} s; its log is ${logFile}.`);
  }
  return { directory, logFile, stop };
}
