import type { Architecture } from '../../cost/model/report/compare.ts';
import { median } from '../../shared/statistics/quantile.ts';
import { type Campaign, isDisturbed } from '../results/campaign.ts';
import { checkGates } from '../results/gates.ts';
import { PUBLISHED_TABLES, type PublishedFigure, published } from '../results/published.ts';
import type { RunResult } from '../results/runResult.ts';
import { REFERENCE_CRITERIA } from '../scenarios/loadProfile.ts';
import { type DesignCosts, HELD } from './designCosts.ts';
import type { Design } from './designs.ts';
import type { Cell, ComparisonReport, Row } from './reportSchema.ts';
import type { Served } from './served.ts';

/** The measurements of one design so far. */
export interface MeasuredDesign {
  readonly design: Design;
  /** Short runs of FeatBit's benchmark. */
  readonly short: Campaign;
  /** Runs of full length. */
  readonly full?: Campaign;
  /** Changes to many clients. */
  readonly fanout?: Campaign;
  /** Clients that try again. */
  readonly served?: readonly Served[];
}

/** The facts of one comparison. */
export type ComparisonFacts = Pick<
  ComparisonReport,
  'startedAt' | 'endedAt' | 'form' | 'runs' | 'machine' | 'versions'
>;

const PUBLISHED = {
  name: 'published',
  title: 'FeatBit on a t2.micro',
  source: 'published',
  setup: 'FeatBit’s server on a t2.micro, with k6 on another machine: https://docs.featbit.co/tech-stack/benchmark',
  part: 1,
} as const;

/** FeatBit's page says only that errors are below 1 %. */
const ERRORS: PublishedFigure = {
  name: 'refused or failed at the first attempt',
  published: () => undefined,
  ours: ({ errorPercent }) => errorPercent,
};

/** The figures of Lambda functions, which have no CPU and no memory of their own. */
const FUNCTIONS: readonly (readonly [name: string, unit: string, figure: (run: RunResult) => number | undefined])[] = [
  [
    'billed for 1,000 connections',
    'GB-seconds',
    ({ server, counts }) => server?.functions && (1_000 * server.functions.gbSeconds) / (counts['began'] ?? 0),
  ],
  ['concurrent executions at most, while connections open', '', ({ server }) => server?.functions?.concurrent],
];

const NONE: Cell = { value: null, source: 'none' };

/**
 * Compares measured figures with FeatBit's published tables, and adds functions, changes and costs. Figures of the ramp are medians over
 * all runs at a rate, figures of the hold over the runs of full length, if there are any.
 *
 * @param rates new connections a second
 * @param costs computes the costs of a design
 */
export function comparisonReport(
  facts: ComparisonFacts,
  designs: readonly MeasuredDesign[],
  rates: readonly number[],
  costs: (architecture: Architecture) => DesignCosts,
): ComparisonReport {
  const columns = designs.map(({ design: { name, title, source, setup, part } }) => ({
    name,
    title,
    source,
    setup,
    part,
  }));
  return {
    ...facts,
    columns: [PUBLISHED, ...columns],
    tables: [
      ...PUBLISHED_TABLES.map(({ title, unit, figures }, n) => ({
        title,
        rows: rates.flatMap((rate) => [
          ...figures.map((figure) => measuredRow(rate, unit, figure, designs)),
          ...(n === 0 ? clientRows(rate, designs) : []),
        ]),
      })),
      {
        title: 'Open connections',
        rows: rates.map((rate) =>
          makeRow({ rate, name: 'held until the end of a run', unit: '' }, designs, (measured) =>
            measuredCell(measured, holdRuns(measured, rate), ({ counts }) => counts['left']),
          ),
        ),
      },
      {
        title: 'Lambda functions',
        rows: rates.flatMap((rate) =>
          FUNCTIONS.map(([name, unit, figure]) =>
            makeRow({ rate, name, unit }, designs, (measured) =>
              measuredCell(measured, rampRuns(measured, rate), figure),
            ),
          ),
        ),
      },
      { title: 'Changes', rows: changeRows(designs) },
      { title: 'Costs', rows: costRows(designs, costs) },
    ],
    notes: [...new Set(designs.flatMap(notesOn))],
  };
}

/** What clients see: refusals, and the time until each client has its flags. */
function clientRows(rate: number, designs: readonly MeasuredDesign[]): Row[] {
  const served = (name: string, unit: string, figure: (served: Served) => number) =>
    makeRow({ rate, name, unit }, designs, ({ design, served }) => {
      const found = served?.find((each) => each.rate === rate);
      return cell(found && found.served === found.clients ? figure(found) : undefined, design.source);
    });
  return [
    measuredRow(rate, '%', ERRORS, designs),
    rulesRow(rate, designs),
    served('with retries, all clients have their flags after', 's', ({ allAfterS }) => allAfterS),
    served('with retries, median wait', 's', ({ medianWaitS }) => medianWaitS),
  ];
}

/** The runs of a design at a rate that show how connections open. */
function rampRuns({ design, short, full }: MeasuredDesign, rate: number): RunResult[] {
  return [...short.runs, ...(full?.runs ?? [])].filter(isAt(rate * design.part));
}

/** The runs of a design at a rate that show open connections. */
function holdRuns({ design, short, full }: MeasuredDesign, rate: number): RunResult[] {
  const found = full?.runs.filter(isAt(rate * design.part)) ?? [];
  return found.length > 0 ? found : short.runs.filter(isAt(rate * design.part));
}

const isAt = (rate: number) => (run: RunResult) => run.partial === undefined && Math.abs(run.facts.rate - rate) < 1e-6;

/** The median and the range of a figure. Disturbed runs count only if there are no others. */
function measuredCell(
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
    const runs = figure.isHeld ? holdRuns(measured, rate) : rampRuns(measured, rate);
    // A Lambda function has no machine with measurable CPU use and memory.
    const isWatched = unit === 'ms' || unit === '%' || measured.design.architecture !== 'serverless';
    return isWatched ? measuredCell(measured, runs, figure.ours) : NONE;
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
    const runs = rampRuns(measured, rate).filter((run) => !isDisturbed(run));
    const isKept = runs.every((run) => checkGates(run, REFERENCE_CRITERIA).every((gate) => gate.isKept));
    return runs.length > 0 ? verdict(isKept, measured.design.source) : NONE;
  };
  const about = { rate, name: 'P99 < 200 ms, errors < 1 %', unit: '' };
  return makeRow(about, designs, of, theirs && verdict(theirs.p99 < 200, 'published'));
}

function changeRows(designs: readonly MeasuredDesign[]): Row[] {
  const change = (name: string, unit: string, figure: (run: RunResult) => number | undefined) =>
    makeRow({ name, unit }, designs, (measured) => measuredCell(measured, measured.fanout?.runs ?? [], figure));
  const last = 'time from an acknowledged change to the last client';
  return [
    change('clients that receive a change', '', ({ changes }) => changes?.clients),
    change(`${last}, median`, 'ms', ({ times }) => times['acknowledged to last']?.p50),
    change(`${last}, maximum`, 'ms', ({ times }) => times['acknowledged to last']?.max),
  ];
}

function costRows(designs: readonly MeasuredDesign[], costs: (architecture: Architecture) => DesignCosts): Row[] {
  const cost = (name: string, which: keyof DesignCosts) => {
    const of = ({ design }: MeasuredDesign) => cell(costs(design.architecture)[which], 'computed');
    return makeRow({ name, unit: 'US$' }, designs, of);
  };
  const held = HELD.toLocaleString('en');
  return [
    cost('a million connections with one data-sync each', 'millionSyncs'),
    cost(`a change to ${held} clients`, 'change'),
    cost(`${held} connections for a month, with pings every 18 s`, 'heldMonth'),
    cost('a month without clients', 'idleMonth'),
  ];
}

/** Errors in the runs of a design, most frequent first, and the number of disturbed runs. */
function notesOn({ design: { title, part }, short, full, fanout }: MeasuredDesign): string[] {
  const all = [short, full, fanout].flatMap((campaign) => campaign?.runs ?? []);
  const disturbed = all.filter(isDisturbed);
  const [first] = disturbed;
  const why = first?.partial ?? first?.invalid[0] ?? 'other programs used the machine';
  const failures = all.flatMap(({ facts, counts, reasons }) =>
    reasons.slice(0, 2).map(([reason, count]) => {
      const numbers = [Math.round(facts.rate / part), counts['began'] ?? 0, count];
      const [rate, clients, times] = numbers.map((each) => each.toLocaleString('en'));
      return `${title}, ${rate} a second, run ${facts.number} of ${clients} connections: ${times} times: ${reason}`;
    }),
  );
  return [
    ...(disturbed.length > 0 ? [`${title}: ${disturbed.length} of ${all.length} runs were disturbed: ${why}`] : []),
    ...failures.slice(0, MOST_FAILURES),
    ...short.facts.notes.map((note) => `${title}: ${note}`),
  ];
}

/** Maximum number of failures in the notes on a design. */
const MOST_FAILURES = 6;

function cell(value: number | undefined, source: Cell['source']): Cell {
  return value === undefined || !Number.isFinite(value) ? NONE : { value, source };
}
