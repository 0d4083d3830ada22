import type { RunResult } from './runResult.ts';

/** A threshold, and whether a run keeps it. */
export interface Gate {
  /** As it was written: `sync.p99`. */
  readonly name: string;
  readonly atMost: number;
  /** NaN where it was not measured, which keeps nothing. */
  readonly measured: number;
  readonly isKept: boolean;
}

/** Thresholds that can be written, for the help text. */
export const GATE_NAMES =
  'errors.percent, errors.count, changes.missing, cpu.percent (the server after the ramp), and <time>.<p50|p75|p90|p95|p99|p999|max|mean> of sync, handshake, ' +
  'connect and sync, server sync, all parts, identify, sync again, lost to answered, send to reply, intended to reply, push, ' +
  'acknowledged to event, acknowledged to first, acknowledged to last';

/** Holds a run against thresholds as artillery's `ensure` has them: each figure is to be at most so much. */
export function checkGates(result: RunResult, ensure: readonly Readonly<Record<string, number>>[]): Gate[] {
  return ensure.flatMap((line) =>
    Object.entries(line).map(([name, atMost]) => {
      const measured = measure(result, name);
      return { name, atMost, measured, isKept: measured <= atMost };
    }),
  );
}

/** A gate in words. */
export function formatGate({ name, atMost, measured, isKept }: Gate): string {
  const figure = Number.isNaN(measured) ? 'was not measured' : `is ${Number(measured.toPrecision(3))}`;
  return `${isKept ? 'kept' : 'FAILED'}: ${name} ${figure}, at most ${atMost}`;
}

/** Reads a threshold as it is given on the command line, `sync.p99:200`. @returns undefined when it is none */
export function parseGate(text: string): Readonly<Record<string, number>> | undefined {
  const [, name, limit] = /^\s*(.+?)\s*[:<]=?\s*([\d.]+)\s*$/.exec(text) ?? [];
  if (
    name === undefined ||
    !/^(errors\.(percent|count)|cpu\.percent|changes\.missing|.+\.(p50|p75|p90|p95|p99|p999|max|mean))$/.test(name)
  )
    return undefined;
  return { [name]: Number(limit) };
}

function measure({ errorPercent, counts, changes, times, server }: RunResult, name: string): number {
  if (name === 'errors.percent') return errorPercent;
  if (name === 'errors.count') return counts['errors'] ?? 0;
  if (name === 'changes.missing') return changes?.missing ?? Number.NaN;
  if (name === 'cpu.percent') return 100 * (server?.cpuHold ?? Number.NaN);
  const at = name.lastIndexOf('.');
  const summary = times[name.slice(0, at)];
  const figure = summary?.[name.slice(at + 1) as 'p99'];
  return figure ?? Number.NaN;
}
