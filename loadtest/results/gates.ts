import type { RunResult } from './runResult.ts';

/** A threshold, and whether a run meets it. */
export interface Gate {
  /** Its name, such as `sync.p99`. */
  readonly name: string;
  readonly atMost: number;
  /** NaN if not measured; the threshold is missed then. */
  readonly measured: number;
  readonly isKept: boolean;
}

/** All thresholds, for the help text. */
export const GATE_NAMES =
  'errors.percent, errors.count, changes.missing, cpu.percent (CPU of the server after all connections are open)\n' +
  '  <time>.<p50|p75|p90|p95|p99|p999|max|mean>, where <time> is one of: sync, handshake, connect and sync, send to reply,\n' +
  '  intended to reply, push, acknowledged to event, acknowledged to first, acknowledged to last';

/** Checks a run against thresholds (artillery's `ensure`): each is an upper limit. */
export function checkGates(result: RunResult, ensure: readonly Readonly<Record<string, number>>[]): Gate[] {
  return ensure.flatMap((line) =>
    Object.entries(line).map(([name, atMost]) => {
      const measured = measure(result, name);
      return { name, atMost, measured, isKept: measured <= atMost };
    }),
  );
}

/** A threshold as a sentence: `Met: 99 % of data-syncs within 12 ms; the limit is 200`. */
export function formatGate(gate: Gate): string {
  return `${gate.isKept ? 'Met' : 'Not met'}: ${describe(gate)}; the limit is ${gate.atMost.toLocaleString('en')}`;
}

/** What the times of a load test measure, where their names do not say it. */
const MEASURED: Readonly<Record<string, string>> = { sync: 'data-syncs', push: 'pushes', handshake: 'handshakes' };

function describe({ name, measured }: Gate): string {
  const [, time = '', at = ''] = /^(.*)\.(\w+)$/.exec(name) ?? [];
  const value = Number(measured.toPrecision(3)).toLocaleString('en');
  if (Number.isNaN(measured)) return `${name} was not measured`;
  if (name === 'errors.percent') return `errors in ${value} % of connections`;
  if (name === 'errors.count') return `${value} errors`;
  if (name === 'changes.missing') return `${value} changes did not arrive`;
  if (name === 'cpu.percent') return `the server used ${value} % of a core`;
  const what = MEASURED[time] ?? `times “${time}”`;
  if (at === 'mean') return `${what} took ${value} ms on average`;
  return `${at === 'max' ? 'all' : `${at === 'p999' ? 99.9 : at.slice(1)} % of`} ${what} within ${value} ms`;
}

/** Parses a threshold such as `sync.p99:200`. @returns undefined if it is invalid */
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
