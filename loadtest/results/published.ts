import type { Summary } from '../measure/summary.ts';
import type { RunResult } from './runResult.ts';

/**
 * FeatBit's published figures (https://docs.featbit.co/tech-stack/benchmark): its evaluation server (.NET 6) on a t2.micro
 * with its stores simulated in memory, k6 on a c6i.8xlarge in the same network, ten runs at each rate. Times are from sending
 * a data-sync to its reply in milliseconds. CPU and memory are peaks in percent by `top`, while connections open and while they are held.
 */
export const published = [
  { rate: 1_000, average: 5.42, p95: 24.7, p99: 96.7, cpu: [82, 26], memory: [55, 38] },
  { rate: 1_100, average: 9.98, p95: 55.51, p99: 170.3, cpu: [88, 29], memory: [58, 42] },
  { rate: 1_200, average: 34.17, p95: 147.91, p99: 254.6, cpu: [91, 31], memory: [61, 45] },
] as const;

/** Memory of a t2.micro in bytes. Percentages of memory refer to it. */
export const T2_MICRO_BYTES = 1024 ** 3;

/** A figure in FeatBit's tables: its published value, and its value in a run. */
export interface PublishedFigure {
  readonly name: string;
  readonly published: (row: (typeof published)[number]) => number | undefined;
  readonly ours: (run: RunResult) => number | undefined;
  /** The same over all clients of several runs. Without it, the median of the runs represents them. */
  readonly pooled?: (all: Summary) => number;
  /** True if it is measured while connections are held. */
  readonly isHeld?: boolean;
}

/** A percentile of data-syncs. */
export const percentile = (
  name: string,
  of: 'p50' | 'p95' | 'p99',
  published: PublishedFigure['published'] = () => undefined,
): PublishedFigure => ({ name, published, ours: ({ times }) => times['sync']?.[of], pooled: (all) => all[of] });

const percentOfMicro = (bytes: number) => (bytes / T2_MICRO_BYTES) * 100;

/** A peak of the server. @param phase 0 while connections open, 1 while they are held */
const peak = (
  name: string,
  of: 'cpu' | 'memory',
  phase: 0 | 1,
  ours: (server: NonNullable<RunResult['server']>) => number,
): PublishedFigure => ({
  name,
  published: (row) => row[of][phase],
  isHeld: phase === 1,
  ours: ({ server }) => server && ours(server),
});

/** FeatBit's three tables. */
export const PUBLISHED_TABLES: readonly {
  readonly title: string;
  readonly unit: string;
  readonly figures: readonly PublishedFigure[];
}[] = [
  {
    title: 'Data-sync response time',
    unit: 'ms',
    figures: [
      { name: 'average', published: ({ average }) => average, ours: ({ times }) => times['sync']?.mean },
      percentile('P95', 'p95', ({ p95 }) => p95),
      percentile('P99', 'p99', ({ p99 }) => p99),
    ],
  },
  {
    title: 'Peak CPU use of the server',
    unit: '% of a core',
    figures: [
      peak('CPU use while connections open', 'cpu', 0, ({ cpuRamp }) => cpuRamp * 100),
      peak('CPU use while connections are held', 'cpu', 1, ({ cpuHold }) => cpuHold * 100),
    ],
  },
  {
    title: 'Peak memory of the server',
    unit: '% of 1 GiB',
    figures: [
      peak('memory while connections open', 'memory', 0, ({ memoryRamp }) => percentOfMicro(memoryRamp)),
      peak('memory while connections are held', 'memory', 1, ({ memoryHold }) => percentOfMicro(memoryHold)),
    ],
  },
];
