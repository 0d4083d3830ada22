import { formatGate, type Gate } from '../results/gates.ts';

/** What clients on tasks were found to take. Times are in milliseconds. */
export interface Measured {
  readonly clients: number;
  readonly tasks: number;
  /** New clients a second, over all tasks. */
  readonly openedPerSecond: number;
  readonly heartbeatsPerSecond: number;
  /** Of the data-sync that follows each handshake, by the worst generator. */
  readonly syncP99: number;
  /** From a heartbeat to its answer. */
  readonly replyP50: number;
  readonly replyP99: number;
  /** Clients that were not let in, not answered or lost, or heartbeats without an answer: whichever is the larger part. */
  readonly errorPercent: number;
  /** What the busiest task used of its share of a processor while heartbeats were sent; 1 is all of it. */
  readonly cpu: number;
  /** Resident bytes of the largest task. */
  readonly resident: number;
  /** Cores that the generators used while heartbeats were sent. */
  readonly generatorCores: number;
  /** Why it says more of the generators than of the tasks; empty when it says something of the tasks. */
  readonly bottlenecks: readonly string[];
  /** The first few errors in words. */
  readonly reasons: readonly string[];
}

/** The processor of a task at its base capacity, as StormForge sized its own, and what a stage may take of it. */
export const BASE_CPU = 0.8;
export const STAGE_CPU = 0.9;

/** StormForge's and FeatBit's criteria: less than 1 % of errors, P99 under 200 ms. */
const MOST_ERRORS_PERCENT = 1;
const MOST_P99_MS = 200;

/** @param mostCpu that the busiest task may use of its share of a processor */
export function gatesOfLoad(measured: Measured, mostCpu: number): Gate[] {
  const gate = (name: string, figure: number, atMost: number): Gate => {
    // What was not measured is null once it was kept as JSON, and null is less than anything.
    return { name, measured: figure ?? Number.NaN, atMost, isKept: Number.isFinite(figure) && figure <= atMost };
  };
  return [
    gate('errors.percent', measured.errorPercent, MOST_ERRORS_PERCENT),
    gate('sync.p99', measured.syncP99, MOST_P99_MS),
    gate('reply.p99', measured.replyP99, MOST_P99_MS),
    gate('cpu.percent', measured.cpu * 100, mostCpu * 100),
  ];
}

/** Why a load is not what a stage is to be, the generators first: behind them nothing can be told of the tasks. */
export function failuresOf(measured: Measured, mostCpu: number): string[] {
  const failed = gatesOfLoad(measured, mostCpu).filter(({ isKept }) => !isKept);
  const errors = measured.reasons.map((reason) => `an error was: ${reason}`);
  return [...measured.bottlenecks, ...failed.map(formatGate), ...(failed.length > 0 ? errors : [])];
}
