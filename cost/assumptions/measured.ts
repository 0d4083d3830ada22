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
export type Measurements = ReturnType<typeof readMeasured>;

/** A host's own use of its processor: milliseconds a second, and for each poll for changes. */
interface Idle {
  readonly idleMs: number;
  readonly pollMs: number;
}

/** What the straight line through the connections held begins with. */
const HOST_BYTES = 130e6;

/** What `npm run bench -- peers --sizes` writes of the host. CPU is in cores, times are in milliseconds. */
interface Sizes {
  readonly storms: readonly { readonly opened: number; readonly cpu: number }[];
  readonly held: readonly { readonly connections: number; readonly bytes: number; readonly cpu: number }[];
  readonly changes: readonly { readonly connections: number; readonly p50Ms: number }[];
}

/** Reads what the model takes from our own measurements: docs/results/functions.json, peers/sizes.json and host/idle.json. */
export function readMeasured() {
  const { measured: calls } = readJson<{ measured: Record<string, Call> }>('functions.json');
  const host = readJson<Idle>('host/idle.json');
  const { storms, held, changes } = readJson<Sizes>('peers/sizes.json');
  // What the host took by itself is in the intercept.
  const { slope, intercept } = lineThrough(held.map(({ connections, cpu }) => [connections / SDK_PING_SECONDS, cpu]));
  return {
    /** By function; `post` is a message to one connection. */
    calls,
    /** Bytes of memory of a host without connections, and for each; the kernel's part is not in them. */
    hostBytes: HOST_BYTES,
    connectionBytes: median(held.map(({ bytes }) => bytes)),
    /** Part of a core that the host took while idle, and milliseconds of it for each of the others. */
    idleCores: host.idleMs / 1_000,
    pollCoreMs: host.pollMs,
    pingCoreMs: slope * 1_000,
    syncCoreMs: median(storms.map(({ cpu, opened }) => (cpu - intercept) / opened)) * 1_000,
    // Waiting for the poll of the table, the write and the reads are in every change alike.
    pushCoreMs: lineThrough(changes.map(({ connections, p50Ms }) => [connections, p50Ms])).slope,
  };
}

function readJson<T>(path: string): T {
  return JSON.parse(readFileSync(join(results, path), 'utf8')) as T;
}
