import type { Architecture } from '../../cost/model/report/compare.ts';
import { type Campaign, medianOver, usable } from '../results/campaign.ts';
import { checkGates } from '../results/gates.ts';
import { PUBLISHED_TABLES, type PublishedFigure, published } from '../results/published.ts';
import type { RunResult } from '../results/runResult.ts';
import { REFERENCE_CRITERIA } from '../scenarios/loadProfile.ts';
import { type DesignCosts, HELD } from './designCosts.ts';
import type { Design } from './designs.ts';
import type { Cell, ComparisonReport, Row } from './reportSchema.ts';

/** The measurements of one design. */
export interface MeasuredDesign {
  readonly design: Design;
  readonly reference: Campaign;
  /** Changes to many clients. */
  readonly fanout: Campaign;
}

/** The facts of one comparison. */
export type ComparisonFacts = Pick<ComparisonReport, 'startedAt' | 'form' | 'runs' | 'machine' | 'versions'>;

const PUBLISHED = {
  name: 'published',
  title: 'FeatBit on a t2.micro',
  setup: 'FeatBit’s server on a t2.micro, with k6 on another machine: https://docs.featbit.co/tech-stack/benchmark',
  part: 1,
};

/** FeatBit's page says only that errors are below 1 %. */
const ERRORS: PublishedFigure = {
  name: 'errors',
  published: () => undefined,
  ours: ({ errorPercent }) => errorPercent,
};

const NONE: Cell = { value: null, source: 'none' };

/**
 * Compares measured figures with FeatBit's published tables, and adds changes and costs.
 *
 * @param rates new connections a second, including the published rates
 * @param costs computes the costs of a design
 */
export function comparisonReport(
  facts: ComparisonFacts,
  designs: readonly MeasuredDesign[],
  rates: readonly number[],
  costs: (architecture: Architecture) => DesignCosts,
): ComparisonReport {
  return {
    ...facts,
    columns: [PUBLISHED, ...designs.map(({ design: { name, title, setup, part } }) => ({ name, title, setup, part }))],
    tables: [
      ...PUBLISHED_TABLES.map(({ title, unit, figures }, n) => ({
        title,
        rows: rates.flatMap((rate) => [
          ...figures.map((figure) => measuredRow(rate, unit, figure, designs)),
          ...(n === 0 ? [measuredRow(rate, '%', ERRORS, designs), rulesRow(rate, designs)] : []),
        ]),
      })),
      { title: 'Changes and costs', rows: otherRows(designs, costs) },
    ],
    notes: [...new Set(designs.flatMap(notesOn))],
  };
}

/** Valid runs of a design at a rate. */
function runsAt({ design, reference }: MeasuredDesign, rate: number): RunResult[] {
  return usable(reference.runs).filter(({ facts }) => Math.abs(facts.rate - rate * design.part) < 1e-6);
}

/** A row with the cell of each design, and FeatBit's published one. */
function makeRow(
  about: Omit<Row, 'cells'>,
  designs: readonly MeasuredDesign[],
  of: (measured: MeasuredDesign) => Cell,
  featbit = NONE,
): Row {
  const cells = designs.map((measured) => [measured.design.name, of(measured)]);
  return { ...about, cells: { published: featbit, ...Object.fromEntries(cells) } };
}

function measuredRow(rate: number, unit: string, figure: PublishedFigure, designs: readonly MeasuredDesign[]): Row {
  const row = published.find((each) => each.rate === rate);
  const of = (measured: MeasuredDesign) => {
    const { source, architecture } = measured.design;
    // A Lambda function has no machine with measurable CPU use and memory.
    const isWatched = unit === 'ms' || unit === '%' || architecture !== 'serverless';
    return cell(isWatched ? medianOver(runsAt(measured, rate), figure.ours) : undefined, source);
  };
  return makeRow({ rate, name: figure.name, unit }, designs, of, cell(row && figure.published(row), 'published'));
}

/** The result of FeatBit's own criteria at a rate, over all runs. */
function rulesRow(rate: number, designs: readonly MeasuredDesign[]): Row {
  const theirs = published.find((each) => each.rate === rate);
  const verdict = (isKept: boolean, source: Cell['source']): Cell => {
    return { value: null, text: isKept ? 'met' : 'not met', source };
  };
  const of = (measured: MeasuredDesign) => {
    const runs = runsAt(measured, rate);
    const isKept = runs.every((run) => checkGates(run, REFERENCE_CRITERIA).every((gate) => gate.isKept));
    return runs.length > 0 ? verdict(isKept, measured.design.source) : NONE;
  };
  const about = { rate, name: 'P99 < 200 ms, errors < 1 %', unit: '' };
  return makeRow(about, designs, of, theirs && verdict(theirs.p99 < 200, 'published'));
}

function otherRows(designs: readonly MeasuredDesign[], costs: (architecture: Architecture) => DesignCosts): Row[] {
  const cost = (name: string, which: keyof DesignCosts) => {
    const of = ({ design }: MeasuredDesign) => cell(costs(design.architecture)[which], 'computed');
    return makeRow({ name: `cost of ${name}`, unit: 'US$' }, designs, of);
  };
  const change = (name: string, unit: string, figure: (run: RunResult) => number | undefined) =>
    makeRow({ name, unit }, designs, ({ design, fanout }) =>
      cell(medianOver(usable(fanout.runs), figure), design.source),
    );
  const last = 'time from an acknowledged change to the last client';
  const held = HELD.toLocaleString('en');
  return [
    change('clients that receive a change', '', ({ changes }) => changes?.clients),
    change(`${last}, median`, 'ms', ({ times }) => times['acknowledged to last']?.p50),
    change(`${last}, maximum`, 'ms', ({ times }) => times['acknowledged to last']?.max),
    cost('a million connections with one data-sync each', 'millionSyncs'),
    cost(`a change to ${held} clients`, 'change'),
    cost(`${held} connections for a month, with pings every 18 s`, 'heldMonth'),
    cost('a month without clients', 'idleMonth'),
  ];
}

/** Errors in the runs of a design, most frequent first, and the number of invalid runs. */
function notesOn({ design: { title, part }, reference, fanout }: MeasuredDesign): string[] {
  const unused = [...reference.runs, ...fanout.runs].filter((run) => usable([run]).length === 0);
  const why = unused[0]?.partial ?? unused[0]?.invalid[0] ?? '';
  const failures = usable(reference.runs).flatMap(({ facts, counts, reasons }) =>
    reasons.slice(0, 2).map(([reason, count]) => {
      const numbers = [Math.round(facts.rate / part), counts['began'] ?? 0, count];
      const [rate, all, times] = numbers.map((each) => each.toLocaleString('en'));
      return `${title}, ${rate} a second, run ${facts.number} of ${all} connections: ${times} times: ${reason}`;
    }),
  );
  return [
    ...(unused.length > 0 ? [`${title}: ${unused.length} runs do not count: ${why}`] : []),
    ...failures,
    ...reference.facts.notes.map((note) => `${title}: ${note}`),
  ];
}

function cell(value: number | undefined, source: Cell['source']): Cell {
  return value === undefined || !Number.isFinite(value) ? NONE : { value, source };
}
