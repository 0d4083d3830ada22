import { setTimeout as sleep } from 'node:timers/promises';
import { type ProcessHealth, ProcessWatch } from '../measure/processWatch.ts';
import { type Summary, summariseMs } from '../measure/summary.ts';
import { dueBy } from './pace.ts';
import type { Population } from './population.ts';

/** How long answers are waited for after the last connection. */
const ANSWER_DEADLINE_MS = 5_000;

/** New connections at a rate, each followed by a data-sync. */
export interface Storm {
  readonly rate: number;
  readonly count: number;
}

/** What it measured. Times are in milliseconds. */
export interface StormResult extends ProcessHealth {
  readonly intended: number;
  readonly achieved: number;
  readonly errors: number;
  readonly reasons: readonly string[];
  /** From beginning to connect to being let in. */
  readonly handshake: Summary;
  /** From sending a data-sync to its answer, as FeatBit's benchmark counts it. */
  readonly sync: Summary;
  /** From beginning to connect to that answer. */
  readonly total: Summary;
}

/** Opens connections evenly and keeps them. */
export async function storm(population: Population, { rate, count }: Storm): Promise<StormResult> {
  const samples = new Samples(population);
  const errorsBefore = population.errors;
  const watch = new ProcessWatch();
  const startedAt = performance.now();
  for (let opened = 0; opened < count; await sleep(1)) {
    for (const due = dueBy(performance.now() - startedAt, rate, count); opened < due; opened++) population.connect();
  }
  const elapsed = performance.now() - startedAt;
  const health = watch.end();
  const until = performance.now() + ANSWER_DEADLINE_MS;
  while (samples.count + population.errors - errorsBefore < count && performance.now() < until) await sleep(20);
  const unanswered = count - samples.count;
  return {
    ...health,
    ...samples.distributions(),
    intended: rate,
    achieved: (count - 1) / (elapsed / 1_000),
    errors: Math.max(unanswered, population.errors - errorsBefore),
    reasons: population.tally.reasons,
  };
}

/** As many new connections as a server takes while a fixed number of them is in flight. */
export interface Saturation {
  readonly concurrency: number;
  /** How many stay open; the oldest goes when there are more. */
  readonly held: number;
  readonly warmUpMs: number;
  readonly measureMs: number;
}

/** What it measured. Times are in milliseconds. */
export interface SaturationResult extends ProcessHealth {
  readonly perSecond: number;
  readonly errors: number;
  readonly reasons: readonly string[];
  readonly handshake: Summary;
  readonly sync: Summary;
  readonly total: Summary;
}

/** Opens a connection whenever one has been answered. */
export async function saturate(population: Population, load: Saturation): Promise<SaturationResult> {
  const errorsBefore = population.errors;
  let isOver = false;
  population.onAnswered = () => {
    if (isOver) return;
    if (population.open > load.held) population.closeOldest();
    population.connect();
  };
  for (let n = 0; n < load.concurrency; n++) population.connect();
  await sleep(load.warmUpMs);
  const samples = new Samples(population, population.onAnswered);
  const watch = new ProcessWatch();
  const startedAt = performance.now();
  await sleep(load.measureMs);
  const perSecond = samples.count / ((performance.now() - startedAt) / 1_000);
  const health = watch.end();
  isOver = true;
  const { errors, tally } = population;
  return { ...health, ...samples.distributions(), perSecond, errors: errors - errorsBefore, reasons: tally.reasons };
}

/** Collects how long answers take. */
class Samples {
  readonly #handshakes: number[] = [];
  readonly #syncs: number[] = [];
  readonly #totals: number[] = [];

  constructor(population: Population, next: Population['onAnswered'] = () => {}) {
    population.onAnswered = (socket, now) => {
      this.#handshakes.push(socket.syncedAt - socket.beganAt);
      this.#syncs.push(now - socket.syncedAt);
      this.#totals.push(now - socket.beganAt);
      next(socket, now);
    };
  }

  get count(): number {
    return this.#syncs.length;
  }

  distributions(): { handshake: Summary; sync: Summary; total: Summary } {
    const [handshake, sync] = [summariseMs(this.#handshakes), summariseMs(this.#syncs)];
    return { handshake, sync, total: summariseMs(this.#totals) };
  }
}
