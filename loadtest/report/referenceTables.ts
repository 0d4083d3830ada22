import { measureSpread } from '../measure/spread.ts';
import { type Campaign, usable } from '../results/campaign.ts';
import { published, T2_MICRO_BYTES } from '../results/published.ts';
import type { RunResult } from '../results/runResult.ts';
import { figure, type Table } from './document.ts';
import { listRates } from './runTables.ts';

/** One of FeatBit's tables: for each of its columns what was published at a rate, and what a run of ours has. */
interface Comparison {
  readonly caption: string;
  readonly columns: readonly {
    readonly name: string;
    readonly published: (row: (typeof published)[number]) => number;
    readonly ours: (run: RunResult) => number | undefined;
  }[];
}

const COMPARISONS: readonly Comparison[] = [
  {
    caption: 'Data-sync response time in milliseconds',
    columns: [
      { name: 'average', published: ({ average }) => average, ours: ({ times }) => times['sync']?.mean },
      { name: 'P95', published: ({ p95 }) => p95, ours: ({ times }) => times['sync']?.p95 },
      { name: 'P99', published: ({ p99 }) => p99, ours: ({ times }) => times['sync']?.p99 },
    ],
  },
  {
    caption: 'Peak CPU of the server in percent of a core',
    columns: [
      { name: 'ramp', published: ({ cpu }) => cpu[0], ours: ({ server }) => server && server.cpuRamp * 100 },
      { name: 'hold', published: ({ cpu }) => cpu[1], ours: ({ server }) => server && server.cpuHold * 100 },
    ],
  },
  {
    caption: 'Peak memory of the server in percent of a t2.micro’s 1 GiB',
    columns: [
      {
        name: 'ramp',
        published: ({ memory }) => memory[0],
        ours: ({ server }) => server && ofMicro(server.memoryRamp),
      },
      {
        name: 'hold',
        published: ({ memory }) => memory[1],
        ours: ({ server }) => server && ofMicro(server.memoryHold),
      },
    ],
  },
];

/**
 * FeatBit's three tables, each figure published, ours and the ratio of the two; ours are medians over runs. At other rates
 * than FeatBit's, ours stand alone.
 */
export function referenceTables({ facts, runs }: Campaign): Table[] {
  const isPublished = published.some(({ rate }) => listRates(runs).includes(rate));
  return COMPARISONS.map(({ caption, columns }) => ({
    caption,
    head: [
      'new/s',
      ...columns.flatMap(({ name }) =>
        isPublished ? [`${name} published`, facts.target, 'ratio'] : [`${name}, ${facts.target}`],
      ),
    ],
    rows: listRates(runs).map((rate) => {
      const used = usable(runs.filter((run) => run.facts.rate === rate));
      const theirs = published.find((row) => row.rate === rate);
      const cells = columns.map((column) => {
        const ours = median(used, column.ours);
        return isPublished ? compare(theirs && column.published(theirs), ours) : [figure(ours)];
      });
      return [rate, ...cells.flat()];
    }),
  }));
}

function compare(theirs: number | undefined, ours: number | undefined): string[] {
  const ratio = theirs === undefined || ours === undefined ? '–' : `${figure(ours / theirs)}×`;
  return [figure(theirs), figure(ours), ratio];
}

function ofMicro(bytes: number): number {
  return (bytes / T2_MICRO_BYTES) * 100;
}

function median(runs: readonly RunResult[], of: (run: RunResult) => number | undefined): number | undefined {
  return measureSpread(runs.map((run) => of(run) ?? Number.NaN))?.median;
}
