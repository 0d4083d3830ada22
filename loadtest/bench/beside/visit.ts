import { setTimeout as sleep } from 'node:timers/promises';
import { readUsage, withCpu } from '../../../dev/support/usage.ts';
import { findBottlenecks } from '../../measure/bottlenecks.ts';
import type { Summary } from '../../measure/summary.ts';
import type { Target } from '../../testbed/population.ts';
import { GENERATOR_LIMITS, type Generator, LEAST_SATURATED, withGenerators } from '../../testbed/testbed.ts';
import { RATE, type Visit } from './rounds.ts';

/** How much load there is. Times are in seconds. */
export interface Load {
  readonly rate: number;
  /** Connections of a ramp, all of which are held. */
  readonly connections: number;
  readonly hold: number;
  /** Connections on their way at any time, one measurement each. */
  readonly saturation: readonly number[];
  /** For which new connections are counted at saturation, after as many to get there. */
  readonly saturationSeconds: number;
}

/** A server that is there: where connections go, and its process where it is known. */
export interface VisitTarget {
  readonly target: Target;
  readonly pid: number | undefined;
}

/** What a visit found, before it is known of which round. */
export type VisitResult = Omit<Visit, 'round' | 'side'>;

/** A process opens 20,000 files at most here. */
const MOST_OPEN = 17_000;

/** Until the server has noticed that the connections of the generator before are gone. */
const SETTLE_MS = 2_000;

const MB = 2 ** 20;

/** Brings a server the load of all phases, in their order: from cold, held, warm, at saturation. */
export async function visit(server: VisitTarget, load: Load, isCold: boolean): Promise<VisitResult[]> {
  const pid = server.pid ?? Number.NaN;
  const withGenerator = async (use: (generator: Generator) => Promise<VisitResult[]>) => {
    const found = await withGenerators(server.target, 1, ([generator]) => use(generator));
    await sleep(SETTLE_MS);
    return found;
  };

  const ramp = async (generator: Generator, phase: string): Promise<VisitResult> => {
    const storm = generator.ask('storm', { rate: load.rate, count: load.connections });
    const [result, cpu] = await withCpu(pid, storm);
    const { achieved, errors, handshake, sync } = result;
    return {
      phase,
      figures: { [RATE]: achieved, errors, ...timeFigures({ handshake, sync }), ...processorFigures(cpu) },
      invalid: findBottlenecks(result, GENERATOR_LIMITS),
    };
  };
  const held = async (generator: Generator, idleBytes: number): Promise<VisitResult> => {
    const before = await generator.ask('ping', null);
    const [, cpu] = await withCpu(pid, sleep(load.hold * 1_000));
    const { open, pings, pongs, errors } = await generator.ask('tally', null);
    const { resident } = readUsage(pid);
    const memory = { 'memory before, MB': idleBytes / MB, 'memory, MB': resident / MB };
    const lost = errors - before.errors + (pings - pongs);
    return {
      phase: 'held',
      figures: { held: open, 'lost or no pong': lost, ...processorFigures(cpu), ...memory },
      invalid: [],
    };
  };
  const saturated = async (generator: Generator, concurrency: number): Promise<VisitResult> => {
    const ms = load.saturationSeconds * 1_000;
    const ask = { concurrency, held: MOST_OPEN, warmUpMs: ms, measureMs: ms };
    const [{ perSecond, errors, handshake, sync, cpu: own }, cpu] = await withCpu(pid, generator.ask('saturate', ask));
    const isFull = own > GENERATOR_LIMITS.cpu;
    return {
      phase: `saturation, ${concurrency} in flight`,
      // The times of a generator that is busy all the time are its own.
      figures: {
        [RATE]: perSecond,
        errors,
        ...(isFull ? {} : timeFigures({ handshake, sync })),
        ...processorFigures(cpu),
      },
      invalid: [],
      // Where the server has time left, something else held it up.
      isAtLeast: isFull || cpu < LEAST_SATURATED,
    };
  };

  const found: VisitResult[] = [];
  const idleBytes = readUsage(pid).resident;
  found.push(
    ...(await withGenerator(async (generator) => {
      const first = await ramp(generator, 'from cold');
      return [...(isCold ? [first] : []), await held(generator, idleBytes)];
    })),
  );
  found.push(...(await withGenerator(async (generator) => [await ramp(generator, 'warm')])));
  for (const concurrency of load.saturation)
    found.push(...(await withGenerator(async (generator) => [await saturated(generator, concurrency)])));
  return found;
}

function timeFigures(times: { readonly handshake: Summary; readonly sync: Summary }): Record<string, number> {
  const figures = Object.entries(times).flatMap(([name, { p50, p95, p99 }]) => [
    [`${name} P50, ms`, p50],
    [`${name} P95, ms`, p95],
    [`${name} P99, ms`, p99],
  ]);
  return Object.fromEntries(figures);
}

function processorFigures(cpu: number): Record<string, number> {
  return { 'processor, % of a core': 100 * cpu };
}
