import { sumOf } from '../../shared/statistics/sumOf.ts';
import { isDisturbed } from '../results/campaign.ts';
import { checkGates } from '../results/gates.ts';
import { PUBLISHED_TABLES, type PublishedFigure, published } from '../results/published.ts';
import type { RunResult } from '../results/runResult.ts';
import { REFERENCE_CRITERIA } from '../scenarios/loadProfile.ts';
import { cell, holdRuns, type MeasuredDesign, makeRow, measuredCell, NONE, rampRuns } from './cells.ts';
import type { Cell, ComparisonReport, Row } from './reportSchema.ts';
import type { Served } from './served.ts';

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

/**
 * Compares measured figures with FeatBit's published tables, and adds functions and changes. Figures of the ramp are medians over
 * all runs at a rate, figures of the hold over the runs of full length, if there are any.
 *
 * @param rates new connections a second
 */
export function comparisonReport(
  facts: ComparisonFacts,
  designs: readonly MeasuredDesign[],
  rates: readonly number[],
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
      { title: 'Lambda functions', rows: rates.flatMap((rate) => functionRows(rate, designs)) },
      { title: 'Changes', rows: changeRows(designs) },
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

function functionRows(rate: number, designs: readonly MeasuredDesign[]): Row[] {
  return FUNCTIONS.map(([name, unit, figure]) =>
    makeRow({ rate, name, unit }, designs, (measured) => measuredCell(measured, rampRuns(measured, rate), figure)),
  );
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

/** The row with the result of FeatBit's own criteria. */
export const CRITERIA = 'P99 < 200 ms, errors < 1 %';

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
  const about = { rate, name: CRITERIA, unit: '' };
  return makeRow(about, designs, of, theirs && verdict(theirs.p99 < 200, 'published'));
}

function changeRows(designs: readonly MeasuredDesign[]): Row[] {
  const change = (name: string, unit: string, figure: (run: RunResult) => number | undefined) =>
    makeRow({ name, unit }, designs, (measured) => measuredCell(measured, measured.changes?.runs ?? [], figure));
  const last = 'time from an acknowledged change to the last client';
  return [
    change('clients that receive a change', '', ({ changes }) => changes?.clients),
    change(`${last}, median`, 'ms', ({ times }) => times['acknowledged to last']?.p50),
    change(`${last}, maximum`, 'ms', ({ times }) => times['acknowledged to last']?.max),
  ];
}

/** Errors in the runs of a design, most frequent first, and the number of disturbed runs. */
function notesOn({ design: { title }, short, full, changes }: MeasuredDesign): string[] {
  const all = [short, full, changes].flatMap((campaign) => campaign?.runs ?? []);
  const disturbed = all.filter(isDisturbed);
  const [first] = disturbed;
  const why = first?.partial ?? first?.invalid[0] ?? 'other programs used the machine';
  const failures = Map.groupBy(
    all.flatMap(({ reasons }) => reasons),
    ([reason]) => reason,
  );
  const counted = [...failures].map(([reason, found]) => [reason, sumOf(found, ([, count]) => count)] as const);
  return [
    ...(disturbed.length > 0 ? [`${title}: ${disturbed.length} of ${all.length} runs were disturbed: ${why}`] : []),
    ...counted
      .toSorted(([, a], [, b]) => b - a)
      .slice(0, MOST_FAILURES)
      .map(([reason, count]) => `${title}, all runs: ${count.toLocaleString('en')} times: ${reason}`),
    ...short.facts.notes.map((note) => `${title}: ${note}`),
  ];
}

/** Maximum number of failures in the notes on a design. */
const MOST_FAILURES = 3;
