import { median } from '../../shared/statistics/quantile.ts';
import { type Summary, summarise } from '../measure/summary.ts';
import { type Campaign, undisturbed } from '../results/campaign.ts';
import type { RunResult } from '../results/runResult.ts';
import type { Design } from './designs.ts';
import type { Cell, Row } from './reportSchema.ts';
import type { Served } from './served.ts';

/** The measurements of one design so far. */
export interface MeasuredDesign {
  readonly design: Design;
  /** Short runs of FeatBit's benchmark. */
  readonly short?: Campaign;
  /** Runs of full length. */
  readonly full?: Campaign;
  /** Changes to many clients. */
  readonly changes?: Campaign;
  /** Clients that try again. */
  readonly served?: readonly Served[];
}

/** A cell without a figure. */
export const NONE: Cell = { value: null, source: 'none' };

/** The runs of a design at a rate that show how connections open. */
export function rampRuns({ design, short, full }: MeasuredDesign, rate: number): RunResult[] {
  return [...(short?.runs ?? []), ...(full?.runs ?? [])].filter(isAt(rate * design.part));
}

/** The runs of a design at a rate that show open connections. */
export function holdRuns(measured: MeasuredDesign, rate: number): RunResult[] {
  const found = measured.full?.runs.filter(isAt(rate * measured.design.part)) ?? [];
  return found.length > 0 ? found : rampRuns(measured, rate);
}

/** Whether a run is complete, and at this rate. */
export const isAt = (rate: number) => (run: RunResult) =>
  run.partial === undefined && Math.abs(run.facts.rate - rate) < 1e-6;

/** The distribution of the data-syncs of all clients of all runs. Undefined if there are none. */
export function poolSyncs(runs: readonly RunResult[]): Summary | undefined {
  return summarise(runs.map(({ syncs }) => syncs));
}

/**
 * A figure and its range over the runs. Disturbed runs count only if there are no others.
 *
 * @param pooled the figure over all clients of the runs. By default, the median of the runs
 */
export function measuredCell(
  { design }: MeasuredDesign,
  runs: readonly RunResult[],
  figure: (run: RunResult) => number | undefined,
  pooled?: (all: Summary) => number,
): Cell {
  const quiet = undisturbed(runs);
  const used = quiet.length > 0 ? quiet : runs;
  const values = used.flatMap((run) => figure(run) ?? []).filter(Number.isFinite);
  if (values.length === 0) return NONE;
  const all = pooled && poolSyncs(used);
  return {
    ...cell(all ? pooled(all) : median(values), design.source),
    ...(values.length > 1 && { range: [Math.min(...values), Math.max(...values)] }),
    ...(quiet.length === 0 && { isDisturbed: true }),
  };
}

/** A row with the cell of each design, and FeatBit's published one. */
export function makeRow(
  about: Omit<Row, 'cells'>,
  designs: readonly MeasuredDesign[],
  of: (measured: MeasuredDesign) => Cell,
  featbit = NONE,
): Row {
  const cells = designs.map((measured) => [measured.design.name, of(measured)]);
  return { ...about, cells: { published: featbit, ...Object.fromEntries(cells) } };
}

/** A cell with a figure, or without one. */
export function cell(value: number | undefined, source: Cell['source']): Cell {
  return value === undefined || !Number.isFinite(value) ? NONE : { value, source };
}
