import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { z } from 'zod';
import { wellFormedJson } from '../../../shared/flags/wellFormed.ts';
import { printable } from '../../../shared/protocol/printable.ts';
import type { LimitedLog } from '../../telemetry/limitedLog.ts';

/** The age at which a start removes temporary files of killed processes, and invalid files. */
const LEFTOVER_MS = 3_600_000;

/**
 * A folder of JSON files that several processes share without locks. Only their owner can read the files. Each is
 * written under a unique name and then renamed, so that it is never incomplete. For each name the last writer wins.
 */
export class StateFiles {
  readonly #directory: string;
  readonly #limited: LimitedLog;
  readonly #waiting = new Map<string, () => Promise<void>>();
  readonly #working = new Map<string, Promise<void>>();

  /**
   * @param now unix milliseconds
   * @throws if the directory cannot be created
   */
  constructor(directory: string, now: () => number, limited: LimitedLog) {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    this.#directory = directory;
    this.#limited = limited;
    this.#removeLeftovers(now() - LEFTOVER_MS);
  }

  /** The names of the files, without `.json`. */
  names(): string[] {
    return this.#entries().flatMap((entry) => (entry.endsWith('.json') ? entry.slice(0, -5) : []));
  }

  /** @returns undefined if the file does not exist; an invalid file is renamed and reported */
  read<T>(name: string, schema: z.ZodType<T>): T | undefined {
    const path = this.#path(name);
    const text = this.#try(() => readFileSync(path, 'utf8'), path);
    if (text === undefined) return undefined;
    const result = schema.safeParse(jsonOf(text));
    if (result.success) return result.data;
    const [issue] = result.error.issues;
    const reason = printable(`${issue?.path.join('.')}: ${issue?.message}`);
    this.#limited.warn('state file is invalid and was renamed', { path: `${path}.unusable`, reason });
    this.#try(() => renameSync(path, `${path}.unusable`), path);
    return undefined;
  }

  /** @throws if it cannot be written; the old file then stays */
  async write(name: string, content: unknown): Promise<void> {
    const draft = `${this.#path(name)}.${randomUUID()}.draft`;
    try {
      await writeFile(draft, JSON.stringify(content), { mode: 0o600, flush: true });
      await rename(draft, this.#path(name));
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
  }

  /** Removes a file if it exists. */
  async remove(name: string): Promise<void> {
    await rm(this.#path(name), { force: true });
  }

  /** Removes a file, before it returns, if it was written before a time (unix milliseconds). */
  removeIfOlder(name: string, writtenBefore: number): void {
    this.#removeIfOlder(this.#path(name), writtenBefore);
  }

  /**
   * Changes files in the background. For each subject, steps run one at a time, and only the last waiting step runs. A
   * failed step is reported (for example if the disk is full).
   */
  later(subject: string, step: () => Promise<void>): void {
    this.#waiting.set(subject, step);
    if (!this.#working.has(subject)) this.#working.set(subject, this.#work(subject));
  }

  /** Resolves when all data has reached the disk. */
  async flushed(): Promise<void> {
    await Promise.all(this.#working.values());
  }

  async #work(subject: string): Promise<void> {
    for (let step = this.#waiting.get(subject); step; step = this.#waiting.get(subject)) {
      this.#waiting.delete(subject);
      await step().catch((error: unknown) => this.#report(error, this.#directory));
    }
    this.#working.delete(subject);
  }

  #removeLeftovers(before: number): void {
    for (const entry of this.#entries()) {
      if (!entry.endsWith('.json')) this.#removeIfOlder(join(this.#directory, entry), before);
    }
  }

  #entries(): string[] {
    return this.#try(() => readdirSync(this.#directory), this.#directory) ?? [];
  }

  #removeIfOlder(path: string, writtenBefore: number): void {
    this.#try(() => {
      if (statSync(path).mtimeMs < writtenBefore) rmSync(path);
    }, path);
  }

  /** A missing file is no error, because other processes rename and remove files too. */
  #try<T>(step: () => T, path: string): T | undefined {
    try {
      return step();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') this.#report(error, path);
      return undefined;
    }
  }

  #report(error: unknown, path: string): void {
    this.#limited.warn('state file could not be read or written', { path, error: error as Error });
  }

  #path(name: string): string {
    return join(this.#directory, `${name}.json`);
  }
}

/** @returns undefined for text that is not JSON, such as a truncated file */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(wellFormedJson(text));
  } catch {
    return undefined;
  }
}
