import { setTimeout as sleep } from 'node:timers/promises';
import { readUsage, withCpu } from '../../../dev/support/usage.ts';
import { findBottlenecks } from '../../measure/bottlenecks.ts';
import type { Summary } from '../../measure/summary.ts';
import type { Target } from '../../testbed/population.ts';
import { GENERATOR_LIMITS, type Generator, LEAST_SATURATED, MOST_OPEN, withGenerators } from '../../testbed/testbed.ts';
import { type Measurement, RATE } from './rounds.ts';

/** The load of a round. Times are in seconds. */
export interface Load {
  readonly rate: number;
  /** Connections to open and hold. */
  readonly connections: number;
  readonly hold: number;
  /** Concurrent handshakes, one measurement each. */
  readonly saturation: readonly number[];
  /** Time of a measurement at saturation, after a warm-up of the same length. */
  readonly saturationSeconds: number;
}

/** A measurement of a server in one phase. */
type PhaseResult = Omit<Measurement, 'round' | 'side'>;

/** A server that the rounds measure. */
export interface Server {
  readonly name: string;
  /** Notes that a reader needs to interpret the figures. */
  readonly notes: readonly string[];
  readonly measure: (load: Load, round: number) => Promise<PhaseResult[]>;
}

/** Time until the server has noticed that the connections of the last generator are closed. */
const SETTLE_MS = 2_000;

const MB = 2 ** 20;

/**
 * Measures a server in all phases: from cold, held, warm, at saturation.
 *
 * @param pid the process of the server, if known
 * @param isCold whether the server has just started. Otherwise the first phase is not reported
 */
export async function measureServer(
  target: Target,
  pid = Number.NaN,
  load: Load,
  isCold: boolean,
): Promise<PhaseResult[]> {
  const ramp = async (generator: Generator, phase: string): Promise<PhaseResult> => {
    const [result, cpu] = await withCpu(pid, generator.ask('storm', { rate: load.rate, count: load.connections }));
    const { achieved, errors } = result;
    const figures = { [RATE]: achieved, errors, ...timeFigures(result), ...cpuFigure(cpu) };
    return { phase, figures, invalid: findBottlenecks(result, GENERATOR_LIMITS) };
  };
  const held = async (generator: Generator, idleBytes: number): Promise<PhaseResult> => {
    const before = await generator.ask('ping', null);
    const [, cpu] = await withCpu(pid, sleep(load.hold * 1_000));
    const { open, pings, pongs, errors } = await generator.ask('tally', null);
    const lost = errors - before.errors + (pings - pongs);
    const memory = { 'memory before, MB': idleBytes / MB, 'memory, MB': readUsage(pid).resident / MB };
    return {
      phase: 'held',
      figures: { held: open, 'lost or no pong': lost, ...cpuFigure(cpu), ...memory },
      invalid: [],
    };
  };
  const saturated = async (generator: Generator, concurrency: number): Promise<PhaseResult> => {
    const ms = load.saturationSeconds * 1_000;
    const ask = { concurrency, held: MOST_OPEN, warmUpMs: ms, measureMs: ms };
    const [result, cpu] = await withCpu(pid, generator.ask('saturate', ask));
    const { perSecond, errors, cpu: own } = result;
    const isFull = own > GENERATOR_LIMITS.cpu;
    // A generator without free CPU time measures its own delays.
    const times = isFull ? {} : timeFigures(result);
    return {
      phase: `saturation, ${concurrency} in flight`,
      figures: { [RATE]: perSecond, errors, ...times, ...cpuFigure(cpu) },
      invalid: [],
      // If the server has free CPU time, something else limited it.
      isAtLeast: isFull || cpu < LEAST_SATURATED,
    };
  };
  const anew = async <T>(measure: (generator: Generator) => Promise<T>): Promise<T> => {
    const found = await withGenerators(target, 1, ([generator]) => measure(generator));
    await sleep(SETTLE_MS);
    return found;
  };
  const idleBytes = readUsage(pid).resident;
  const found = await anew(async (generator) => {
    const first = await ramp(generator, 'from cold');
    return [...(isCold ? [first] : []), await held(generator, idleBytes)];
  });
  found.push(await anew((generator) => ramp(generator, 'warm')));
  for (const concurrency of load.saturation) found.push(await anew((generator) => saturated(generator, concurrency)));
  return found;
}

function timeFigures({ handshake, sync }: Readonly<Record<'handshake' | 'sync', Summary>>): Record<string, number> {
  const figures = Object.entries({ handshake, sync }).flatMap(([name, summary]) =>
    (['p50', 'p95', 'p99'] as const).map((share) => [`${name} ${share.toUpperCase()}, ms`, summary[share]]),
  );
  return Object.fromEntries(figures);
}

function cpuFigure(cpu: number): Record<string, number> {
  return { 'processor, % of a core': 100 * cpu };
}
