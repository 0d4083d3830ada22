import { median } from '../../shared/statistics/quantile.ts';
import { type Campaign, isDisturbed } from '../results/campaign.ts';
import type { RunResult } from '../results/runResult.ts';
import type { Design } from './designs.ts';
import type { Cell, Row } from './reportSchema.ts';
import type { Served } from './served.ts';

/** The measurements of one design so far. */
export interface MeasuredDesign {
  readonly design: Design;
  /** Short runs of FeatBit's benchmark. */
  readonly short: Campaign;
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
  return [...short.runs, ...(full?.runs ?? [])].filter(isAt(rate * design.part));
}

/** The runs of a design at a rate that show open connections. */
export function holdRuns({ design, short, full }: MeasuredDesign, rate: number): RunResult[] {
  const found = full?.runs.filter(isAt(rate * design.part)) ?? [];
  return found.length > 0 ? found : short.runs.filter(isAt(rate * design.part));
}

const isAt = (rate: number) => (run: RunResult) => run.partial === undefined && Math.abs(run.facts.rate - rate) < 1e-6;

/** The median and the range of a figure. Disturbed runs count only if there are no others. */
export function measuredCell(
  { design }: MeasuredDesign,
  runs: readonly RunResult[],
  figure: (run: RunResult) => number | undefined,
): Cell {
  const quiet = runs.filter((run) => !isDisturbed(run));
  const used = quiet.length > 0 ? quiet : runs;
  const values = used.flatMap((run) => figure(run) ?? []).filter(Number.isFinite);
  if (values.length === 0) return NONE;
  return {
    ...cell(median(values), design.source),
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
