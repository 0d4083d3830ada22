import { sumOf } from '../../shared/statistics/sumOf.ts';
import { type Campaign, countReasons, isDisturbed, medianOver, undisturbed } from '../results/campaign.ts';
import { checkGates } from '../results/gates.ts';
import { PUBLISHED_TABLES, type PublishedFigure, percentile, published } from '../results/published.ts';
import type { RunResult } from '../results/runResult.ts';
import { REFERENCE_CRITERIA } from '../scenarios/loadProfile.ts';
import {
  cell,
  holdRuns,
  isAt,
  type MeasuredDesign,
  makeRow,
  measuredCell,
  NONE,
  poolSyncs,
  rampRuns,
} from './cells.ts';
import type { Cell, ComparisonReport, Row } from './reportSchema.ts';
import type { Served } from './served.ts';

/** The facts of one comparison. */
export type ComparisonFacts = Pick<ComparisonReport, 'startedAt' | 'endedAt' | 'machine' | 'versions'>;

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

/** Figures that FeatBit did not publish. */
const OTHER_TIMES: readonly PublishedFigure[] = [
  percentile('P50', 'p50'),
  { name: 'P99 of the median run', published: () => undefined, ours: ({ times }) => times['sync']?.p99 },
];

/** The most that users report for API Gateway between client and function, in milliseconds. The emulator adds none. */
const GATEWAY_MS = 120;
/** Fewer clients have no valid P99. */
const LEAST_CLIENTS = 2_000;

/**
 * Compares measured figures with FeatBit's published tables, and adds changes. Percentiles are those of all clients of
 * all runs at a rate. Other figures of the ramp are medians over these runs, figures of the hold over those of full length, if there
 * are any.
 *
 * @param rates new connections a second
 */
export function comparisonReport(
  facts: ComparisonFacts,
  designs: readonly MeasuredDesign[],
  rates: readonly number[],
): ComparisonReport {
  const columns = designs.map(({ design, short, full, changes }) => {
    const { name, title, source, setup, part } = design;
    const used = ({ runs = [] }: Partial<Campaign> = {}) =>
      Math.min(...rates.map((rate) => undisturbed(runs.filter(isAt(rate * part))).length));
    const made = (campaign?: Campaign) => Math.max(0, ...(campaign?.runs ?? []).map(({ facts }) => facts.number));
    const all = [short, full, changes].flatMap((campaign) => campaign?.runs ?? []);
    const others = medianOver(undisturbed(all), ({ facts }) => facts.others);
    const runs = { short: used(short), full: used(full), made: { short: made(short), full: made(full) }, others };
    return { name, title, source, setup, part, runs };
  });
  return {
    ...facts,
    columns: [PUBLISHED, ...columns],
    tables: [
      ...PUBLISHED_TABLES.map(({ title, unit, figures }, n) => ({
        title,
        rows: rates.flatMap((rate) => [
          ...[...figures, ...(n === 0 ? OTHER_TIMES : [])].map((figure) => measuredRow(rate, unit, figure, designs)),
          ...(n === 0 ? clientRows(rate, designs) : []),
        ]),
      })),
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
    makeRow({ rate, name: `P99 with ${GATEWAY_MS} ms for API Gateway`, unit: 'ms' }, designs, (measured) =>
      measured.design.source === 'simulated' ? gatewayCell(measured, rate) : NONE,
    ),
    measuredRow(rate, '%', ERRORS, designs),
    rulesRow(rate, designs),
    served('with retries, all clients have their flags after', 's', ({ allAfterS }) => allAfterS),
    served('with retries, median wait', 's', ({ medianWaitS }) => medianWaitS),
  ];
}

/** The P99 of all clients, with the slowest time that users report for API Gateway. */
function gatewayCell(measured: MeasuredDesign, rate: number): Cell {
  const runs = rampRuns(measured, rate);
  if ((poolSyncs(undisturbed(runs))?.count ?? 0) < LEAST_CLIENTS) return NONE;
  const more = (figure: number | undefined) => (figure ?? Number.NaN) + GATEWAY_MS;
  const p99 = ({ times }: RunResult) => more(times['sync']?.p99);
  return measuredCell(measured, runs, p99, (all) => more(all.p99));
}

function measuredRow(rate: number, unit: string, figure: PublishedFigure, designs: readonly MeasuredDesign[]): Row {
  const row = published.find((each) => each.rate === rate);
  const of = (measured: MeasuredDesign) => {
    const runs = figure.isHeld ? holdRuns(measured, rate) : rampRuns(measured, rate);
    // A Lambda function has no machine with measurable CPU use and memory.
    const isWatched = unit === 'ms' || unit === '%' || measured.design.source === 'here';
    return isWatched ? measuredCell(measured, runs, figure.ours, figure.pooled) : NONE;
  };
  return makeRow({ rate, name: figure.name, unit }, designs, of, cell(row && figure.published(row), 'published'));
}

/** The row with the result of FeatBit's own criteria. */
export const CRITERIA = 'P99 < 200 ms, errors < 1 %';

/**
 * The result of FeatBit's own criteria at a rate. Each run must meet them. If the design is simulated, all clients of all runs must
 * meet them together, with the time of API Gateway. Fewer than 2,000 data-syncs have no P99, and fewer than 2,000 clients no result.
 */
function rulesRow(rate: number, designs: readonly MeasuredDesign[]): Row {
  const theirs = published.find((each) => each.rate === rate);
  const verdict = (isKept: boolean, source: Cell['source']): Cell => {
    return { value: null, text: isKept ? 'met' : 'not met', source };
  };
  const of = (measured: MeasuredDesign) => {
    const runs = undisturbed(rampRuns(measured, rate));
    const { source } = measured.design;
    const judged = source === 'simulated' ? poolRuns(runs) : runs;
    const gates = judged.flatMap((run) => checkGates(run, REFERENCE_CRITERIA));
    const isMissed = gates.some(({ isKept, measured }) => !isKept && (source === 'here' || !Number.isNaN(measured)));
    const isKept = gates.every((gate) => gate.isKept);
    return gates.length > 0 && (isKept || isMissed) ? verdict(isKept, source) : NONE;
  };
  const about = { rate, name: CRITERIA, unit: '' };
  return makeRow(about, designs, of, theirs && verdict(theirs.p99 < 200, 'published'));
}

/** Runs as one, with the time of API Gateway. Empty if it has too few clients, and without a P99 if it has too few data-syncs. */
function poolRuns(runs: readonly RunResult[]): RunResult[] {
  const [first] = runs;
  const sync = poolSyncs(runs);
  const total = (name: string) => sumOf(runs, ({ counts }) => counts[name] ?? 0);
  if (!first || total('began') < LEAST_CLIENTS) return [];
  const errorPercent = (100 * total('errors')) / total('began');
  const hasP99 = sync !== undefined && sync.count >= LEAST_CLIENTS;
  return [{ ...first, errorPercent, times: hasP99 ? { sync: { ...sync, p99: sync.p99 + GATEWAY_MS } } : {} }];
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
  return [
    ...(disturbed.length > 0 ? [`${title}: ${disturbed.length} of ${all.length} runs were disturbed: ${why}`] : []),
    ...countReasons(all)
      .slice(0, 3)
      .map(([reason, count]) => `${title}, all runs: ${count.toLocaleString('en')} times: ${reason}`),
    ...((short ?? full)?.facts.notes ?? []).map((note) => `${title}: ${note}`),
  ];
}
