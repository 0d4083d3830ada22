import { setTimeout as sleep } from 'node:timers/promises';
import { type ProcessHealth, ProcessWatch } from '../measure/processWatch.ts';
import { rounded, type Times } from '../processor/slice.ts';
import type { Population } from './population.ts';

/** How long answers are waited for after the last heartbeat. */
const PATIENCE_MS = 5_000;

/** Heartbeats of all open connections, evenly. */
export interface Beating {
  /** Between two of one connection. */
  readonly everySeconds: number;
  readonly forMs: number;
}

/** What became of them. */
export interface Beaten extends ProcessHealth {
  readonly sent: number;
  readonly unanswered: number;
  /** From sending each to its answer; those of several generators can be put together. */
  readonly replies: Times;
  /** Connections that ended meanwhile. */
  readonly lost: number;
  readonly reasons: readonly string[];
}

/** Lets every open connection send a heartbeat in its turn for some time, and waits for the last answers. */
export async function heartbeats(population: Population, { everySeconds, forMs }: Beating): Promise<Beaten> {
  const replies = new Map<number, number>();
  population.onPong = (ms) => replies.set(rounded(ms), (replies.get(rounded(ms)) ?? 0) + 1);
  const before = population.tally;
  const watch = new ProcessWatch();
  const stop = population.keepPinging(everySeconds);
  await sleep(forMs);
  stop();
  const health = watch.end();
  const sent = population.tally.pings - before.pings;
  const unanswered = () => sent - (population.tally.pongs - before.pongs);
  const until = performance.now() + PATIENCE_MS;
  while (unanswered() > 0 && performance.now() < until) await sleep(20);
  const { errors, reasons } = population.tally;
  return { ...health, sent, unanswered: unanswered(), replies: [...replies], lost: errors - before.errors, reasons };
}
