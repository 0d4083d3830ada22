import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RunFiles } from '../results/runFiles.ts';
import { splitProfile } from '../scenarios/parts.ts';
import type { Settings } from '../scenarios/settings.ts';
import { startArtillery, writeScript } from './artillery.ts';

/** Lines of artillery's own output that an error shows. */
const LAST_WORDS = 15;

/** The artillery processes of one run on this machine. */
export class Workers {
  readonly #files: RunFiles;
  readonly #log: string;
  /** Scripts contain the key. They are deleted after the run. */
  readonly #scripts = mkdtempSync(join(tmpdir(), 'flagwire-scripts-'));
  readonly #children: readonly ChildProcess[];
  readonly #exits: Promise<unknown>;

  /** @param core their only core, if they are pinned */
  constructor(files: RunFiles, settings: Settings, core: number | undefined) {
    this.#files = files;
    this.#log = join(files.directory, 'artillery.log');
    const { plan, workers, cores } = files.facts;
    this.#children = splitProfile(plan, workers, cores).map((part, n) => {
      const folder = join(this.#scripts, String(n));
      mkdirSync(folder);
      const script = writeScript(folder, part, settings);
      return startArtillery(script, this.#log, { FLAGWIRE_SLICES: files.slices, FLAGWIRE_WORKER: String(n) }, core);
    });
    this.#exits = Promise.all(this.#children.map((child) => once(child, 'exit')));
    this.#exits.catch(() => {});
  }

  /**
   * Waits until all have ended.
   *
   * @param look called every second. Ends them if it returns a reason
   * @returns this reason
   * @throws Error with the last output, if one ended before it measured anything
   */
  async wait(look: () => string | undefined, signal: AbortSignal): Promise<string | undefined> {
    let isOver = false;
    const over = this.#exits.finally(() => {
      isOver = true;
    });
    let stopped: string | undefined;
    while (!isOver && stopped === undefined) {
      await Promise.race([over, sleep(1_000, undefined, { signal }).catch(() => {})]);
      if (!isOver) stopped = look();
    }
    this.end();
    await over;
    if (stopped === undefined && this.#files.readSlices().length < this.#children.length) {
      const words = readFileSync(this.#log, 'utf8').trim().split('\n').slice(-LAST_WORDS).join('\n');
      throw new Error(`artillery ended before it measured anything. Its last words:\n${words}`);
    }
    return stopped;
  }

  /** Kills the running ones with their children. Each leads a process group. */
  end(): void {
    for (const { pid, exitCode, signalCode } of this.#children) {
      if (pid === undefined || exitCode !== null || signalCode !== null) continue;
      try {
        process.kill(-pid, 'SIGKILL');
      } catch {
        // It has ended.
      }
    }
    rmSync(this.#scripts, { recursive: true, force: true });
  }
}
