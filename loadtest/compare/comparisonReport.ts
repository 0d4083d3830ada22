import type { Architecture } from '../../cost/model/report/compare.ts';
import { measureSpread } from '../measure/spread.ts';
import { type Campaign, usable } from '../results/campaign.ts';
import { checkGates } from '../results/gates.ts';
import { published, T2_MICRO_BYTES } from '../results/published.ts';
import type { RunResult } from '../results/runResult.ts';
import { REFERENCE_CRITERIA } from '../scenarios/plan.ts';
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

/** A figure in FeatBit's tables: the published value, and the value of our run. */
interface Figure {
  readonly name: string;
  readonly unit: string;
  readonly published: (row: (typeof published)[number]) => number | undefined;
  readonly ours: (run: RunResult) => number | undefined;
}

const PUBLISHED = {
  name: 'published',
  title: 'FeatBit on a t2.micro',
  setup: 'FeatBit’s server on a t2.micro, with k6 on another machine: https://docs.featbit.co/tech-stack/benchmark',
  part: 1,
};

const ofMicro = (bytes: number) => (bytes / T2_MICRO_BYTES) * 100;

/** FeatBit's three tables. FeatBit's page says only that errors are below 1 %. */
const TABLES: readonly { readonly title: string; readonly figures: readonly Figure[] }[] = [
  {
    title: 'Data-sync response time',
    figures: [
      { name: 'average', unit: 'ms', published: ({ average }) => average, ours: ({ times }) => times['sync']?.mean },
      { name: 'P95', unit: 'ms', published: ({ p95 }) => p95, ours: ({ times }) => times['sync']?.p95 },
      { name: 'P99', unit: 'ms', published: ({ p99 }) => p99, ours: ({ times }) => times['sync']?.p99 },
      { name: 'errors', unit: '%', published: () => undefined, ours: ({ errorPercent }) => errorPercent },
    ],
  },
  {
    title: 'Peak CPU use of the server',
    figures: [
      {
        name: 'CPU use while connections open',
        unit: '% of a core',
        published: ({ cpu }) => cpu[0],
        ours: ({ server }) => server && server.cpuRamp * 100,
      },
      {
        name: 'CPU use while connections are held',
        unit: '% of a core',
        published: ({ cpu }) => cpu[1],
        ours: ({ server }) => server && server.cpuHold * 100,
      },
    ],
  },
  {
    title: 'Peak memory of the server',
    figures: [
      {
        name: 'memory while connections open',
        unit: '% of 1 GiB',
        published: ({ memory }) => memory[0],
        ours: ({ server }) => server && ofMicro(server.memoryRamp),
      },
      {
        name: 'memory while connections are held',
        unit: '% of 1 GiB',
        published: ({ memory }) => memory[1],
        ours: ({ server }) => server && ofMicro(server.memoryHold),
      },
    ],
  },
];

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
      ...TABLES.map(({ title, figures }, n) => ({
        title,
        rows: rates.flatMap((rate) => [
          ...figures.map((figure) => measuredRow(rate, figure, designs)),
          ...(n === 0 ? [rulesRow(rate, designs)] : []),
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

function measuredRow(
  rate: number,
  { name, unit, published: of, ours }: Figure,
  designs: readonly MeasuredDesign[],
): Row {
  const row = published.find((each) => each.rate === rate);
  const cells = designs.map((measured) => {
    const { name: column, source, architecture } = measured.design;
    // A Lambda function has no machine with measurable CPU use and memory.
    const isWatched = unit === 'ms' || unit === '%' || architecture !== 'serverless';
    const value = isWatched ? median(runsAt(measured, rate), ours) : undefined;
    return [column, cell(value, source)];
  });
  return { rate, name, unit, cells: { published: cell(row && of(row), 'published'), ...Object.fromEntries(cells) } };
}

/** Whether a rate was sustained by FeatBit's own rules, in all runs. */
function rulesRow(rate: number, designs: readonly MeasuredDesign[]): Row {
  const theirs = published.find((each) => each.rate === rate);
  const verdict = (isKept: boolean, source: Cell['source']): Cell => ({
    value: null,
    text: isKept ? 'met' : 'not met',
    source,
  });
  const cells = designs.map((measured) => {
    const { name, source } = measured.design;
    const runs = runsAt(measured, rate);
    const isKept = runs.every((run) => checkGates(run, REFERENCE_CRITERIA).every((gate) => gate.isKept));
    return [name, runs.length > 0 ? verdict(isKept, source) : NONE];
  });
  return {
    rate,
    name: 'P99 < 200 ms, errors < 1 %',
    unit: '',
    cells: { published: theirs ? verdict(theirs.p99 < 200, 'published') : NONE, ...Object.fromEntries(cells) },
  };
}

function otherRows(designs: readonly MeasuredDesign[], costs: (architecture: Architecture) => DesignCosts): Row[] {
  const row = (name: string, unit: string, of: (design: MeasuredDesign) => Cell): Row => ({
    name,
    unit,
    cells: { published: NONE, ...Object.fromEntries(designs.map((each) => [each.design.name, of(each)])) },
  });
  const cost =
    (which: keyof DesignCosts) =>
    ({ design }: MeasuredDesign) =>
      cell(costs(design.architecture)[which], 'computed');
  const change =
    (figure: 'p50' | 'max') =>
    ({ design, fanout }: MeasuredDesign) => {
      const ms = median(usable(fanout.runs), ({ times }) => times['acknowledged to last']?.[figure]);
      return cell(ms, design.source);
    };
  const held = HELD.toLocaleString('en');
  return [
    row('clients that receive a change', '', ({ design, fanout }) => {
      const clients = median(usable(fanout.runs), ({ changes }) => changes?.clients);
      return cell(clients, design.source);
    }),
    row('time from an acknowledged change to the last client, median', 'ms', change('p50')),
    row('time from an acknowledged change to the last client, maximum', 'ms', change('max')),
    row('cost of a million connections with one data-sync each', 'US$', cost('millionSyncs')),
    row(`cost of a change to ${held} clients`, 'US$', cost('change')),
    row(`cost of ${held} connections for a month, with pings every 18 s`, 'US$', cost('heldMonth')),
    row('cost of a month without clients', 'US$', cost('idleMonth')),
  ];
}

/** Errors in the runs of a design, most frequent first, and the number of invalid runs. */
function notesOn({ design: { title, part }, reference, fanout }: MeasuredDesign): string[] {
  const unused = [...reference.runs, ...fanout.runs].filter((run) => usable([run]).length === 0);
  const failures = usable(reference.runs).flatMap(({ facts, counts, reasons }) =>
    reasons.slice(0, 2).map(([why, count]) => {
      const [rate, times, all] = [Math.round(facts.rate / part), count, counts['began'] ?? 0].map((each) =>
        each.toLocaleString('en'),
      );
      return `${title}, ${rate} a second, run ${facts.number} of ${all} connections: ${times} times: ${why}`;
    }),
  );
  return [
    ...(unused.length > 0 ? [`${title}: ${unused.length} runs do not count: ${reasonOf(unused[0])}`] : []),
    ...failures,
    ...reference.facts.notes.map((note) => `${title}: ${note}`),
  ];
}

function reasonOf(run: RunResult | undefined): string {
  return run?.partial ?? run?.invalid[0] ?? '';
}

function median(runs: readonly RunResult[], of: (run: RunResult) => number | undefined): number | undefined {
  return measureSpread(runs.map((run) => of(run) ?? Number.NaN))?.median;
}

function cell(value: number | undefined, source: Cell['source']): Cell {
  return value === undefined || !Number.isFinite(value) ? NONE : { value, source };
}
