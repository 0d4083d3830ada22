import { compileSnapshot, type Snapshot } from '../../../shared/evaluation/snapshot.ts';
import { parseUser, type User } from '../../../shared/flags/user.ts';
import { median } from '../../../shared/statistics/quantile.ts';
import type { Documents } from './syncs.ts';

/** What compiling an environment costs, its parsed documents in hand. */
export interface CompilationCost {
  /** The very first time in this process, milliseconds. */
  readonly firstMs: number;
  readonly medianMs: number;
  readonly minMs: number;
  /** Heap that the snapshot holds beyond its documents, megabytes. */
  readonly heldMb: number;
  /** Heap just after compiling, garbage included, megabytes. */
  readonly peakMb: number;
  /** Heap that evaluating for all users adds: the outcomes' JSON, made on first use, megabytes. */
  readonly grownMb: number;
}

/**
 * Compiles an environment several times from scratch, then evaluates it for users.
 *
 * @throws {Error} when the process cannot collect garbage (`--expose-gc`), without which heap sizes mean nothing
 */
export function measureCompilation(documents: Documents, users: readonly string[], rounds: number): CompilationCost {
  const times: number[] = [];
  let compiled = compileOnce(documents);
  times.push(compiled.ms);
  const firstMs = compiled.ms;
  let { heldMb, peakMb } = compiled;
  for (let round = 1; round < rounds; round++) {
    compiled = compileOnce(documents);
    times.push(compiled.ms);
    heldMb = Math.max(heldMb, compiled.heldMb);
    peakMb = Math.max(peakMb, compiled.peakMb);
  }
  return {
    firstMs,
    medianMs: median(times),
    minMs: Math.min(...times),
    heldMb,
    peakMb,
    grownMb: growth(compiled.snapshot, users),
  };
}

function compileOnce(documents: Documents) {
  const before = heapMb();
  const start = performance.now();
  const snapshot = compileSnapshot({ envId: 'benchmark', version: 1, ...documents });
  const ms = performance.now() - start;
  const peakMb = process.memoryUsage().heapUsed / 1e6 - before;
  return { ms, peakMb, heldMb: heapMb() - before, snapshot };
}

function growth(snapshot: Snapshot, texts: readonly string[]): number {
  const users = texts.map((text) => parseUser(JSON.parse(text)) as User);
  const before = heapMb();
  for (const user of users) for (const flag of snapshot.flags) void flag.evaluate(user).clientJson;
  return heapMb() - before;
}

/** Megabytes in use on the heap once all garbage is collected. */
function heapMb(): number {
  if (!globalThis.gc) throw new Error('garbage cannot be collected: start node with --expose-gc');
  globalThis.gc();
  return process.memoryUsage().heapUsed / 1e6;
}
