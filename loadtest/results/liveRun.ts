import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sumOf } from '../../shared/statistics/sumOf.ts';
import { parseLines, type Slice } from '../measure/slice.ts';
import type { RunFiles, Usage } from './runFiles.ts';
import { mergeSeconds, type Second } from './runResult.ts';

/** Seconds that are merged. Workers write at different times. */
const RECENT = 5;

/** A run that goes on. It parses each line once, because its CPU time is missing in the load. */
export class LiveRun {
  readonly #files: RunFiles;
  readonly #parsed = new Map<string, number>();
  readonly #workers = new Map<string, readonly Slice[]>();
  #usage: readonly Usage[] = [];
  #errors = 0;

  constructor(files: RunFiles) {
    this.#files = files;
  }

  /** The start of the run, its last complete second, and its errors until now. The second is missing before the first one. */
  look(): { readonly startedAt: string; readonly last?: Second; readonly errors: number } {
    const { slices, usage, facts } = this.#files;
    for (const name of readdirSync(slices)) {
      const added = this.#readAdded<Slice>(join(slices, name));
      this.#errors += sumOf(added, ({ counters }) => counters['errors'] ?? 0);
      this.#workers.set(name, [...(this.#workers.get(name) ?? []), ...added].slice(-RECENT));
    }
    this.#usage = [...this.#usage, ...this.#readAdded<Usage>(usage)].slice(-RECENT);
    const seconds = mergeSeconds([...this.#workers.values()], this.#usage);
    const last = seconds.at(-2) ?? seconds.at(-1);
    return { startedAt: facts.startedAt, ...(last && { last }), errors: this.#errors };
  }

  #readAdded<T>(path: string): T[] {
    if (!existsSync(path)) return [];
    const from = this.#parsed.get(path) ?? 0;
    const added = readFileSync(path).subarray(from);
    this.#parsed.set(path, from + added.lastIndexOf('\n') + 1);
    return parseLines(added.toString());
  }
}
