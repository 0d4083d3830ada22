import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { logFileOf } from '../../../infra/cacheDirectory.ts';

/** How long a server may take to answer for the first time. */
const START_TIMEOUT_MS = 60_000;

/** A server to be guarded. */
interface ServerCommand {
  readonly name: string;
  readonly command: readonly string[];
  /** Its environment; given the directory in which it works. */
  readonly environment: (directory: string) => NodeJS.ProcessEnv;
  /** A URL that it answers with success when it is ready. */
  readonly healthUrl: string;
}

/** A running server that lives no longer than this process, however this one ends, and leaves nothing but the log of the last run. */
export class GuardedServer {
  readonly logFile: string;
  /** A temporary directory that goes when the server does. */
  readonly directory: string;
  readonly #guard: ChildProcess;

  private constructor({ name, command, environment }: ServerCommand) {
    this.directory = mkdtempSync(join(tmpdir(), `flagwire-${name}-`));
    this.logFile = logFileOf(name);
    writeFileSync(this.logFile, '');
    const guard = join(import.meta.dirname, 'guard.ts');
    this.#guard = spawn(process.execPath, [guard, this.logFile, this.directory, ...command], {
      stdio: ['pipe', 'ignore', 'inherit'],
      env: environment(this.directory),
    });
  }

  /** Starts it and waits until it answers. @throws Error naming its log when it ends before, or does not answer */
  static async start(server: ServerCommand): Promise<GuardedServer> {
    const guarded = new GuardedServer(server);
    for (const end = Date.now() + START_TIMEOUT_MS; ; await sleep(50)) {
      const answer = await fetch(server.healthUrl).catch(() => undefined);
      if (answer?.ok) return guarded;
      if (guarded.#guard.exitCode === null && Date.now() < end) continue;
      await guarded.stop();
      throw new Error(
        `${server.name} did not answer within ${START_TIMEOUT_MS / 1000} s; its log is ${guarded.logFile}.`,
      );
    }
  }

  /** Ends it and all that it has started, and removes its directory. */
  async stop(): Promise<void> {
    if (this.#guard.exitCode !== null) return;
    const exit = once(this.#guard, 'exit');
    this.#guard.stdin?.end();
    await exit;
  }
}
