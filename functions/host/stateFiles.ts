import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { z } from 'zod';
import { printable } from '../../shared/protocol/printable.ts';
import type { LimitedLog } from '../telemetry/limitedLog.ts';

/** The age at which drafts of killed processes, and files that were set aside, are removed by the next start. */
const LEFTOVER_MS = 3_600_000;

/**
 * A folder of JSON files, each for its owner only, that several processes share without locks: a file is written under a
 * name that nobody else has and then renamed, so that it is there whole or not at all, and the last writer of a name wins.
 */
export class StateFiles {
  readonly #directory: string;
  readonly #limited: LimitedLog;
  readonly #waiting = new Map<string, () => Promise<void>>();
  readonly #working = new Map<string, Promise<void>>();

  /** @throws when the directory cannot be made */
  constructor(directory: string, limited: LimitedLog) {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    this.#directory = directory;
    this.#limited = limited;
    this.#removeLeftovers();
  }

  /** The names of the files, without `.json`. */
  names(): string[] {
    return this.#entries().flatMap((entry) => (entry.endsWith('.json') ? entry.slice(0, -5) : []));
  }

  /** @returns undefined when there is no such file; one that does not fit the schema is set aside and reported */
  read<T>(name: string, schema: z.ZodType<T>): T | undefined {
    const path = this.#path(name);
    const text = this.#try(() => readFileSync(path, 'utf8'), path);
    if (text === undefined) return undefined;
    const result = schema.safeParse(jsonOf(text));
    if (result.success) return result.data;
    const [issue] = result.error.issues;
    const reason = printable(`${issue?.path.join('.')}: ${issue?.message}`);
    this.#limited.warn('state file is not valid and was set aside', { path: `${path}.unusable`, reason });
    this.#try(() => renameSync(path, `${path}.unusable`), path);
    return undefined;
  }

  /** @throws when it could not be written; the file stays as it was */
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

  /** Removes a file, if it is there. */
  async remove(name: string): Promise<void> {
    await rm(this.#path(name), { force: true });
  }

  /**
   * Changes files in the background: for each subject one step at a time, and of the steps that wait only the last. A step
   * that fails, for example because the disk is full, is reported.
   */
  later(subject: string, step: () => Promise<void>): void {
    this.#waiting.set(subject, step);
    if (!this.#working.has(subject)) this.#working.set(subject, this.#work(subject));
  }

  /** Resolves when everything has reached the disk. */
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

  #removeLeftovers(): void {
    for (const entry of this.#entries()) {
      const path = join(this.#directory, entry);
      this.#try(() => {
        if (!entry.endsWith('.json') && statSync(path).mtimeMs < Date.now() - LEFTOVER_MS) rmSync(path);
      }, path);
    }
  }

  #entries(): string[] {
    return this.#try(() => readdirSync(this.#directory), this.#directory) ?? [];
  }

  /** What is not there (any more: other processes rename and remove, too) is no error. */
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

/** @returns undefined for text that is not JSON, such as a file that was cut off */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
