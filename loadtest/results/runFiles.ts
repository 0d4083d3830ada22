import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseLines, type Slice } from '../measure/slice.ts';
import type { RunFacts } from './schema.ts';

/** CPU and memory of the server at a time. */
export interface Usage {
  /** Unix seconds. */
  readonly at: number;
  /** Share of one core, over all its processes. */
  readonly cpu: number;
  /** Resident bytes, over all its processes. */
  readonly memory: number;
}

/** A write that must reach each client. Times are in unix milliseconds. */
export interface Flip {
  readonly version: number;
  readonly beganAt: number;
  /** Acknowledgement of the table. The writer acknowledges 100 ms later. */
  readonly acknowledgedAt: number;
}

const USAGE = 'server.ndjson';

/** The files of a run. Measurements are appended immediately, so that a killed run keeps them. */
export class RunFiles {
  readonly directory: string;

  constructor(directory: string) {
    this.directory = directory;
  }

  static create(directory: string, facts: RunFacts): RunFiles {
    mkdirSync(join(directory, 'slices'), { recursive: true });
    const files = new RunFiles(directory);
    files.facts = facts;
    return files;
  }

  get slices(): string {
    return join(this.directory, 'slices');
  }

  get usage(): string {
    return join(this.directory, USAGE);
  }

  get facts(): RunFacts {
    return JSON.parse(readFileSync(join(this.directory, 'run.json'), 'utf8'));
  }

  set facts(facts: RunFacts) {
    writeFileSync(join(this.directory, 'run.json'), `${JSON.stringify(facts, null, 2)}\n`);
  }

  addUsage(usage: Usage): void {
    this.#append(USAGE, usage);
  }

  addFlip(flip: Flip): void {
    this.#append('flips.ndjson', flip);
  }

  /** The slices of each worker. */
  readSlices(): Slice[][] {
    return readdirSync(this.slices).map((name) => parseLines(readFileSync(join(this.slices, name), 'utf8')));
  }

  readUsage(): Usage[] {
    return this.#read(USAGE);
  }

  readFlips(): Flip[] {
    return this.#read('flips.ndjson');
  }

  #append(name: string, value: unknown): void {
    appendFileSync(join(this.directory, name), `${JSON.stringify(value)}\n`);
  }

  #read<T>(name: string): T[] {
    const path = join(this.directory, name);
    return existsSync(path) ? parseLines(readFileSync(path, 'utf8')) : [];
  }
}
