import { setTimeout as sleep } from 'node:timers/promises';
import { ProcessWatch } from '../measure/processWatch.ts';
import { summariseMs } from '../measure/summary.ts';
import type { Population } from './population.ts';
import { pauseSeconds, SDKS } from './sdks.ts';

/** Maximum wait for replies after the last connection. */
const REPLY_TIMEOUT_MS = 5_000;

/** New connections at a constant rate, each with a data-sync. */
export interface Storm {
  readonly rate: number;
  readonly count: number;
}

/** Opens connections at a constant rate, and keeps them open. */
export async function storm(population: Population, { rate, count }: Storm) {
  const syncs = collectSyncs(population);
  const errorsBefore = population.errors;
  const watch = new ProcessWatch();
  const startedAt = performance.now();
  for (let opened = 0; opened < count; await sleep(1)) {
    for (const due = dueBy(performance.now() - startedAt, rate, count); opened < due; opened++) population.connect();
  }
  const elapsed = performance.now() - startedAt;
  const health = watch.end();
  const until = performance.now() + REPLY_TIMEOUT_MS;
  const errors = () => population.errors - errorsBefore;
  while (syncs.length + errors() < count && performance.now() < until) await sleep(20);
  return {
    ...health,
    sync: summariseMs(syncs),
    intended: rate,
    achieved: (count - 1) / (elapsed / 1_000),
    errors: Math.max(count - syncs.length, errors()),
    reasons: population.tally.reasons,
  };
}

/** Maximum time until all clients have their flags, in seconds: API Gateway closes an unanswered connection much later. */
export const SERVE_TIMEOUT_S = 300;

/** Opens clients at a constant rate. Each one tries again after the pauses of FeatBit's JavaScript SDK, until it has its flags. */
export async function serve(
  population: Pick<Population, 'connect' | 'onAnswered' | 'onUnanswered'>,
  { rate, count }: Storm,
) {
  const clients = new Map<string, { readonly beganAt: number; attempts: number }>();
  const waitsMs: number[] = [];
  const startedAt = performance.now();
  let refused = 0;
  let lastAfterMs = 0;
  population.onAnswered = ({ keyId, beganAt }, now) => {
    waitsMs.push(now - (clients.get(keyId)?.beganAt ?? beganAt));
    lastAfterMs = now - startedAt;
  };
  population.onUnanswered = ({ keyId, beganAt }) => {
    refused++;
    const client = clients.get(keyId) ?? { beganAt, attempts: 0 };
    clients.set(keyId, client);
    const pauseS = pauseSeconds(SDKS['js-client'], client.attempts++, Math.random());
    setTimeout(() => population.connect(keyId), pauseS * 1_000);
  };
  for (let opened = 0; opened < count; await sleep(1)) {
    for (const due = dueBy(performance.now() - startedAt, rate, count); opened < due; opened++) population.connect();
  }
  while (waitsMs.length < count && performance.now() - startedAt < SERVE_TIMEOUT_S * 1_000) await sleep(20);
  return { waitsMs, refused, lastAfterMs };
}

/** The maximum rate of new connections with a fixed number of concurrent handshakes. */
export interface Saturation {
  readonly concurrency: number;
  /** Maximum number of open connections. Above it, the oldest one closes. */
  readonly held: number;
  readonly warmUpMs: number;
  readonly measureMs: number;
}

/** Opens a connection after each reply. */
export async function saturate(population: Population, load: Saturation) {
  const errorsBefore = population.errors;
  let isOver = false;
  population.onAnswered = () => {
    if (isOver) return;
    if (population.open > load.held) population.closeOldest();
    population.connect();
  };
  for (let n = 0; n < load.concurrency; n++) population.connect();
  await sleep(load.warmUpMs);
  const syncs = collectSyncs(population, population.onAnswered);
  const watch = new ProcessWatch();
  const startedAt = performance.now();
  await sleep(load.measureMs);
  const perSecond = syncs.length / ((performance.now() - startedAt) / 1_000);
  const health = watch.end();
  isOver = true;
  const { errors, tally } = population;
  return { ...health, perSecond, errors: errors - errorsBefore, reasons: tally.reasons };
}

/** The number of `total` evenly spaced events that are due after some time. */
export function dueBy(elapsedMs: number, ratePerSecond: number, total: number): number {
  return Math.min(total, Math.floor((elapsedMs / 1_000) * ratePerSecond) + 1);
}

/** Collects times from sending a data-sync to its reply in milliseconds, as in FeatBit's benchmark. */
function collectSyncs(population: Population, next: Population['onAnswered'] = () => {}): number[] {
  const times: number[] = [];
  population.onAnswered = (socket, now) => {
    times.push(now - socket.syncedAt);
    next(socket, now);
  };
  return times;
}
