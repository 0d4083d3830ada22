import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SDK_PING_SECONDS } from '../../shared/protocol/ping.ts';
import { lineThrough } from '../../shared/statistics/lineThrough.ts';
import { median } from '../../shared/statistics/quantile.ts';

const results = join(import.meta.dirname, '../../docs/results');

/** A function's call, as `npm run bench -- functions` measured it. */
interface Call {
  readonly cpuMs: number;
  readonly logBytes: number;
  /** Maximum memory of its process, if it was measured. */
  readonly memoryMb?: number;
  /** Bytes of what it answers; undefined where it answers nothing. */
  readonly answerBytes?: number;
}

/** What was measured of the service, as the model needs it. */
export interface Measurements {
  /** By function; `post` is a message to one connection. */
  readonly calls: Readonly<Record<string, Call>>;
  /** Bytes of memory of a host without connections, and for each; the kernel's part is not in them. */
  readonly hostBytes: number;
  readonly connectionBytes: number;
  /** Part of a core that the host took while idle, and milliseconds of it for each of the others. */
  readonly idleCores: number;
  readonly pollCoreMs: number;
  readonly pingCoreMs: number;
  readonly syncCoreMs: number;
  readonly pushCoreMs: number;
}

/** A host's own use of its processor: milliseconds a second, and for each poll for changes. */
interface Idle {
  readonly idleMs: number;
  readonly pollMs: number;
}

/** What the straight line through the connections held begins with (docs/results/host.md). */
const HOST_BYTES = 130e6;

interface Result {
  readonly title: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly (string | number)[])[];
}

/**
 * Reads what the model takes from our own measurements: docs/results/functions.json, docs/results/host/bench-host.json and idle.json,
 * medians over their runs.
 */
export function readMeasured(): Measurements {
  const { measured: calls } = readJson<{ measured: Record<string, Call> }>('functions.json');
  const host = readJson<Idle>('host/idle.json');
  const { results } = readJson<{ results: Result[] }>('host/bench-host.json');
  // Older results of "Connections held" are all of the host, and have no column of servers.
  const isHost = ({ server = 'host' }: Record<string, string | number>) => server === 'host';
  const heldRows = rowsOf(results, 'Connections held').filter(isHost);
  const held = heldRows.map((row) => ({
    held: Number(row['held']),
    cpu: share(row['CPU']),
  }));
  // What the host took by itself is in the intercept.
  const { slope, intercept } = lineThrough(held.map(({ held, cpu }) => [held / SDK_PING_SECONDS, cpu]));
  const syncs = rowsOf(results, 'New connections')
    .filter(isHost)
    .map((row) => (share(row['CPU']) - intercept) / Number(row['reached']));
  // Waiting for the look at the table, the write and the reads are in every push alike.
  const pushes = rowsOf(results, 'Push:')
    .filter(isHost)
    .map((row) => [Number(row['held']), Number(row['p50 ms from acknowledgement'])] as const);
  return {
    calls,
    hostBytes: HOST_BYTES,
    connectionBytes: median(heldRows.map((row) => Number(row['bytes each']))),
    idleCores: host.idleMs / 1_000,
    pollCoreMs: host.pollMs,
    pingCoreMs: slope * 1_000,
    syncCoreMs: median(syncs) * 1_000,
    pushCoreMs: lineThrough(pushes).slope,
  };
}

function readJson<T>(path: string): T {
  return JSON.parse(readFileSync(join(results, path), 'utf8')) as T;
}

function rowsOf(all: readonly Result[], title: string): Record<string, string | number>[] {
  const found = all.filter((result) => result.title.startsWith(title));
  if (found.length === 0) throw new Error(`docs/results/host/bench-host.json has nothing on "${title}"`);
  return found.flatMap(({ head, rows }) =>
    rows.map((row) => Object.fromEntries(head.map((name, index) => [name, row[index] ?? '']))),
  );
}

function share(text: string | number | undefined): number {
  return Number.parseFloat(String(text)) / 100;
}
