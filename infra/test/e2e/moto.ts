import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { logFileOf } from '../tools/cacheDirectory.ts';
import { freePort } from '../tools/freePort.ts';

/** The emulator that makes what ministack does not, EC2 instances among it; from PyPI. */
export const moto = { name: 'moto', requirements: join(import.meta.dirname, 'moto.requirements.txt') };

const PATIENCE_MS = 60_000;

/** A running moto on a port of 127.0.0.1; it lives no longer than this process, and leaves nothing but its log. */
export class Moto {
  readonly endpoint: string;
  readonly environment = { AWS_ACCESS_KEY_ID: 'test', AWS_REGION: 'us-east-1' };
  readonly #guard: ChildProcess;

  private constructor(guard: ChildProcess, endpoint: string) {
    this.#guard = guard;
    this.endpoint = endpoint;
  }

  /**
   * Starts it and waits until it answers.
   *
   * @param commands the directory with the command `moto_server`
   * @throws when it ends or does not answer, naming its log
   */
  static async start(commands: string): Promise<Moto> {
    const port = await freePort();
    const directory = mkdtempSync(join(tmpdir(), 'flagwire-moto-'));
    const logFile = logFileOf('moto');
    writeFileSync(logFile, '');
    const command = [join(commands, 'moto_server'), '-H', '127.0.0.1', '-p', String(port)];
    const child = spawn(process.execPath, [join(import.meta.dirname, 'guard.ts'), logFile, directory, ...command], {
      stdio: ['pipe', 'ignore', 'inherit'],
    });
    const started = new Moto(child, `http://127.0.0.1:${port}`);
    for (const end = Date.now() + PATIENCE_MS; ; await sleep(100)) {
      const answer = await fetch(`${started.endpoint}/moto-api/`).catch(() => undefined);
      if (answer?.ok) return started;
      if (child.exitCode === null && Date.now() < end) continue;
      await started.stop();
      throw new Error(`moto did not start; its log is ${logFile}.`);
    }
  }

  async stop(): Promise<void> {
    if (this.#guard.exitCode !== null) return;
    const exit = once(this.#guard, 'exit');
    this.#guard.stdin?.end();
    await exit;
  }
}
