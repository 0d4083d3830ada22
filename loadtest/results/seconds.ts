import { sumOf } from '../../shared/statistics/sumOf.ts';
import type { Slice } from '../measure/slice.ts';
import { summarise } from '../measure/summary.ts';
import type { Usage } from './runFiles.ts';

/** One second of a run, over all workers. */
export interface Second {
  /** Unix seconds. */
  readonly at: number;
  readonly open: number;
  /** New connections. */
  readonly began: number;
  readonly errors: number;
  /** Times of data-syncs and of replies to messages in milliseconds. Missing without any. */
  readonly syncP50?: number;
  readonly syncP99?: number;
  readonly replyP99?: number;
  readonly pushP99?: number;
  readonly serverCpu?: number;
  /** Bytes. */
  readonly serverMemory?: number;
}

/** The seconds of a run. A second of a worker counts where it ends. */
export function mergeSeconds(workers: readonly (readonly Slice[])[], usage: readonly Usage[]): Second[] {
  const all = workers.flat();
  if (all.length === 0) return [];
  const first = Math.min(...all.map(({ at }) => at));
  const last = Math.max(...all.map(({ at }) => at));
  const bySecond = Map.groupBy(all, ({ at }) => at);
  const used = new Map(usage.map((each) => [Math.floor(each.at), each]));
  return Array.from({ length: last - first + 1 }, (_, n) => {
    const at = first + n;
    const slices = bySecond.get(at) ?? [];
    const count = (name: string) => sumOf(slices, ({ counters }) => counters[name] ?? 0);
    const times = (name: string) => summarise(slices.map((slice) => slice.times[name] ?? []));
    const [sync, reply, push] = [times('sync'), times('send to reply'), times('push')];
    const { cpu, memory } = used.get(at) ?? {};
    return {
      at,
      open: sumOf(workers, (worker) => worker.findLast((slice) => slice.at <= at)?.open ?? 0),
      began: count('began'),
      errors: count('errors'),
      ...(sync && { syncP50: sync.p50, syncP99: sync.p99 }),
      ...(reply && { replyP99: reply.p99 }),
      ...(push && { pushP99: push.p99 }),
      ...(cpu !== undefined && { serverCpu: cpu }),
      ...(memory !== undefined && { serverMemory: memory }),
    };
  });
}
