import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSlices, type Slice } from '../measure/slice.ts';
import type { Plan } from '../scenarios/plan.ts';

/** What a run was, written when it begins, and again when it is over. */
export interface RunFacts {
  readonly scenario: string;
  /** What was asked of it: new connections a second. */
  readonly rate: number;
  /** Which of its rate's runs, from 1. */
  readonly number: number;
  readonly plan: Plan;
  readonly workers: number;
  /** Processors the generator may use. */
  readonly cores: number;
  /** ISO 8601. */
  readonly startedAt: string;
  /** Missing while it goes on, and for ever when it was killed. */
  readonly endedAt?: string;
  /** Share of this machine's processors that other programs used during the run. */
  readonly others?: number;
  /** Why it ended before its time. */
  readonly stopped?: string;
}

/** What the server used at a time. */
export interface Usage {
  /** Unix seconds. */
  readonly at: number;
  /** Share of one core, over all its processes. */
  readonly cpu: number;
  /** Resident bytes, over all its processes. */
  readonly memory: number;
  /** How long from `at` on it was measured; nothing where it is a moment. */
  readonly seconds?: number;
}

/** A write that was to reach every client; times in unix milliseconds. */
export interface Flip {
  readonly version: number;
  readonly beganAt: number;
  /** When the table acknowledged it. The writer does so 100 ms later. */
  readonly acknowledgedAt: number;
}

/** One run as it stands on disk: everything is appended as it happens, so that a killed run is a shorter one. */
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

  get facts(): RunFacts {
    return JSON.parse(readFileSync(join(this.directory, 'run.json'), 'utf8'));
  }

  set facts(facts: RunFacts) {
    writeFileSync(join(this.directory, 'run.json'), `${JSON.stringify(facts, null, 2)}\n`);
  }

  addUsage(usage: Usage): void {
    this.#append('server.ndjson', usage);
  }

  addFlip(flip: Flip): void {
    this.#append('flips.ndjson', flip);
  }

  /** The slices of each worker. */
  readSlices(): Slice[][] {
    return readdirSync(this.slices).map((name) => parseSlices(readFileSync(join(this.slices, name), 'utf8')));
  }

  readUsage(): Usage[] {
    return this.#read('server.ndjson');
  }

  readFlips(): Flip[] {
    return this.#read('flips.ndjson');
  }

  #append(name: string, value: unknown): void {
    appendFileSync(join(this.directory, name), `${JSON.stringify(value)}\n`);
  }

  #read<T>(name: string): T[] {
    const path = join(this.directory, name);
    if (!existsSync(path)) return [];
    // What stands after the last line break was being written when its writer was killed.
    const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1);
    return lines.map((line) => JSON.parse(line));
  }
}
