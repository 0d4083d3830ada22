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

/** A server that a guard runs. */
interface ServerCommand {
  readonly name: string;
  readonly command: readonly string[];
  /** Its environment; given the directory in which it works. */
  readonly environment: (directory: string) => NodeJS.ProcessEnv;
  /** A URL that it answers with success when it is ready. */
  readonly healthUrl: string;
}

/** A running server that ends with this process, however this one ends, and leaves only the log of its last run. */
export class GuardedServer extends RunningProcess {
  readonly logFile: string;
  /** A temporary directory that is removed with the server. */
  readonly directory: string;

  private constructor({ name, command, environment }: ServerCommand) {
    const directory = mkdtempSync(join(tmpdir(), `flagwire-${name}-`));
    const logFile = logFileOf(name);
    super(['bash', '-c', GUARD, 'guard', logFile, ...command], {
      cwd: directory,
      environment: environment(directory),
      hasInput: true,
      exitSignal: 'SIGTERM',
    });
    [this.directory, this.logFile] = [directory, logFile];
  }

  /** Starts it and waits until it answers. @throws Error naming its log when it ends before, or does not answer */
  static async start(server: ServerCommand): Promise<GuardedServer> {
    const guarded = new GuardedServer(server);
    try {
      await guarded.ready(async () => (await fetch(server.healthUrl)).ok, START_DEADLINE_MS);
    } catch {
      await guarded.close();
      throw new Error(
        `${server.name} did not answer within ${START_DEADLINE_MS / 1000} s; its log is ${guarded.logFile}.`,
      );
    }
    return guarded;
  }

  /** Ends it and all that it has started, and removes its directory. */
  async close(): Promise<void> {
    this.child.stdin?.end();
    await this.ended;
  }
}
