import { markdownTable } from '../../shared/command/markdownTable.ts';
import { SDK_PING_SECONDS } from '../../shared/protocol/ping.ts';
import { type AllRanges, rangesOf } from '../assumptions/rangesOf.ts';
import { ARCHITECTURES, type Architecture, costOf, readiness } from '../model/report/compare.ts';
import { reportOn } from '../model/report/report.ts';
import { count, money, range, share } from '../model/workload/figures.ts';
import { PRESETS } from '../model/workload/presets.ts';
import { IDLE, parseWorkload } from '../model/workload/workload.ts';
import { FEATBIT_PARTS, featbitMonth } from '../prices/featbitMonth.ts';
import { breakEvenByStage, LONGEST_PING } from './breakEven.ts';

const ALL = Object.keys(ARCHITECTURES) as Architecture[];

/** Numbers of connections of typical readers of README. */
const SIZES = [12, 60, 1_000, 10_000];

/** The pages with tables, by their paths from the root, and the tables of each by the names in its marks. */
export const COST_PAGES = {
  'README.md': { sizes: sizesTable },
  'docs/cost.md': {
    idle: idleTable,
    'break-even': breakEvenTable,
    presets: presetTable,
    featbit: featbitTable,
  },
} as const satisfies Readonly<Record<string, Tables>>;

/** The tables of a page by their names. */
type Tables = Readonly<Record<string, (all: AllRanges) => string>>;

/**
 * Replaces what is between the marks of a page by the model's tables.
 *
 * @throws Error where the page lacks a table, or has one that is unknown
 */
export function withCostTables(page: string, tables: Tables, all: AllRanges): string {
  const mark = /(<!-- table: (.+) -->\n)[\s\S]*?(<!-- end -->)/g;
  // Before any table is made, which takes seconds.
  const missing = new Set(Object.keys(tables));
  for (const [, , name = ''] of page.matchAll(mark))
    if (!missing.delete(name)) throw new Error(`the page has the table ${name}, which is unknown or there twice`);
  if (missing.size > 0) throw new Error(`the page lacks the tables ${[...missing].join(', ')}`);
  return page.replace(mark, (_, begin, name, end) => `${begin}\n${tables[name]?.(all)}\n\n${end}`);
}

/** A month of each design, as `npm run cost -- --connections <number>` shows it. The cheapest is bold. */
function sizesTable(all: AllRanges): string {
  const designs = ['serverless', 'door', 't2', 'fargate'] as const;
  return markdownTable(
    ['connections all day', ...designs.map((each) => ARCHITECTURES[each])],
    SIZES.map((connections) => {
      const workload = parseWorkload({ connections });
      const bills = designs.map((each) => costOf(each, workload, rangesOf(all).expected).bill.total);
      const lowest = Math.min(...bills);
      return [count(connections), ...bills.map((bill) => (bill === lowest ? `**${money(bill)}**` : money(bill)))];
    }),
  );
}

/** A month without connections, and the command that deploys what is priced. */
function idleTable(all: AllRanges): string {
  const { expected } = rangesOf(all);
  const workload = parseWorkload(IDLE);
  return markdownTable(
    ['option', 'a month when idle', 'command'],
    ALL.map((each) => {
      const { bill, command } = costOf(each, workload, expected);
      return [ARCHITECTURES[each], money(bill.total), `\`${command}\``];
    }),
  );
}

function breakEvenTable(all: AllRanges): string {
  const assumed = rangesOf(all).expected;
  const columns = [SDK_PING_SECONDS, 10, LONGEST_PING].map((ping) => breakEvenByStage(ping, assumed));
  const [first] = columns;
  return markdownTable(
    ['counted', ...columns.map(({ pingSeconds }) => `${pingSeconds} s`)],
    (first?.stages ?? []).map(({ name }, index) => [
      name,
      ...columns.map(({ stages }) => count(Math.round(stages[index]?.connections ?? Number.NaN))),
    ]),
  );
}

function presetTable(all: AllRanges): string {
  return markdownTable(
    ['', ...ALL.map((each) => ARCHITECTURES[each]), 'pings’ share of serverless'],
    Object.values(PRESETS).map(({ title, about, workload }) => {
      const { architectures } = reportOn(parseWorkload(workload), rangesOf(all));
      const cells = architectures.map((each) =>
        each.isPossible ? `${money(each.bill.total)} (${range(each)})` : readiness(each),
      );
      const [serverless] = architectures;
      return [`**${title}**: ${about}`, ...cells, serverless?.isPossible ? share(serverless.heartbeatShare) : '–'];
    }),
  );
}

/** The parts of FeatBit's deployment on AWS, with the sources of their prices. */
function featbitTable(): string {
  const rows = FEATBIT_PARTS.map(({ what, units, usd, source, asOf, isConfirmed }) => [
    what,
    `$${usd}`,
    money(units * usd),
    `[${asOf}](${source})${isConfirmed ? '' : ', not confirmed'}`,
  ]);
  return markdownTable(
    ['part', 'price of a unit', 'a month', 'price as of'],
    [...rows, ['**total**', '–', `**${money(featbitMonth())}**`, '–']],
  );
}
