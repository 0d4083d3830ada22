import { markdownTable } from '../../shared/command/markdownTable.ts';
import { type AllRanges, rangesOf } from '../assumptions/rangesOf.ts';
import { ARCHITECTURES, type Architecture, choose, compare, costOf, readiness } from '../model/report/compare.ts';
import { costCurve, crossings } from '../model/report/crossings.ts';
import { reportOn } from '../model/report/report.ts';
import { count, money, range, share } from '../model/workload/figures.ts';
import { PRESETS } from '../model/workload/presets.ts';
import { codeReadUnits } from '../model/workload/units.ts';
import { IDLE, parseWorkload } from '../model/workload/workload.ts';
import { consolePerson, floodDay } from '../prices/consoleUse.ts';
import { FEATBIT_PARTS, featbitMonth } from '../prices/featbitMonth.ts';
import { unitPrice } from '../prices/priceSheet.ts';
import { CONSOLE_THROTTLE } from '../prices/serviceFacts.ts';
import { priceSheetOf } from '../prices/sheets.ts';

const ALL = Object.keys(ARCHITECTURES) as Architecture[];

/** Numbers of connections of typical readers of README. */
const SIZES = [12, 60, 1_000, 10_000];

/** The tables of README.md and docs by name. */
export const COST_TABLES: Readonly<Record<string, (all: AllRanges) => string>> = {
  sizes: sizesTable,
  idle: idleTable,
  presets: presetTable,
  featbit: featbitTable,
  console: consoleTable,
};

/** Figures in sentences: `<name>:<argument>`. */
const COST_FIGURES: Readonly<Record<string, (argument: string, all: AllRanges) => string>> = {
  /** `cost:<option>@<connections>`: {@link monthCost}. */
  cost: (argument, all) => {
    const [option = '', connections] = argument.split('@');
    return money(monthCost(option as Architecture, Number(connections), all));
  },
  /** `idle:<option>`: a month without connections. */
  idle: (option, all) => money(costOf(option as Architecture, parseWorkload(IDLE), rangesOf(all).expected).bill.total),
  /** `million:<option>`: StormForge's load with quotas that AWS raised for it. */
  million: (option, all) => {
    const workload = parseWorkload({ ...PRESETS.stormforge.workload, requestQuota: 2e6, connectQuota: 1e6 });
    return money(costOf(option as Architecture, workload, rangesOf(all).expected).bill.total);
  },
  /** `break-even:<ping>`: see {@link breakEven}. */
  'break-even': (ping, all) => count(breakEven(Number(ping), all).connections),
  /** `code:month`: {@link codeCost}. */
  code: () => money(codeCost()),
  /** `featbit:month`: FeatBit's own deployment. */
  featbit: () => money(featbitMonth()),
};

/** A figure of the cost model in a sentence. Undefined for an expression of something else. */
export function costFigure(expression: string, all: AllRanges): string | undefined {
  const [name = '', argument = ''] = expression.split(':');
  return COST_FIGURES[name]?.(argument, all);
}

/** Computes a month of connections that are open all day in US dollars, as `npm run cost -- --connections <number> --credits unlimited` does. */
export function monthCost(option: Architecture, connections: number, all: AllRanges): number {
  return costOf(option, parseWorkload({ connections, credits: 'unlimited' }), rangesOf(all).expected).bill.total;
}

/** Computes where serverless stops to be the option to choose, for connections that are open all day. */
export function breakEven(pingSeconds: number, all: AllRanges) {
  const ranges = rangesOf(all);
  const workload = parseWorkload({ connections: 1, sdks: [{ share: 1, pingSeconds, type: 'client' }] });
  const found = crossings(workload, ranges, costCurve(workload, ranges)).find(({ from }) => from === 'serverless');
  if (!found) throw new Error(`serverless is the choice at any size, with a ping every ${pingSeconds} s`);
  return found;
}

/** A million invocations of code in Lambda, of which 10,000 start an instance, in US dollars, with the default number of flags. */
function codeCost(): number {
  const { flags, flagBytes, region } = parseWorkload({});
  return codeReadUnits(flags * flagBytes, 1e6, 1e4) * unitPrice(priceSheetOf(region), 'readUnit');
}

/** What serves clients after a machine has failed. */
const AFTER_FAILURE: Readonly<Record<Architecture, string>> = {
  serverless: 'no machine',
  t2: 'down until restarted',
  fargate: 'another task',
  door: 'serverless (untried)',
};

/** A month of each option, of one t2.micro in unlimited mode. What the command recommends is bold. The last row costs the same with each. */
function sizesTable(all: AllRanges): string {
  const choices = SIZES.map((connections) => choose(compare(parseWorkload({ connections }), rangesOf(all))));
  const names = {
    ...ARCHITECTURES,
    t2: `${ARCHITECTURES.t2}, unlimited mode`,
    door: `[${ARCHITECTURES.door}](docs/front-door.md): t4g.micro + serverless`,
  };
  const options = ALL.map((each) => [
    names[each],
    ...SIZES.map((connections, n) => {
      const usd = money(monthCost(each, connections, all));
      return choices[n]?.architecture === each ? `**${usd}**` : usd;
    }),
    AFTER_FAILURE[each],
  ]);
  const code = 'plus code in Lambda: a million invocations, 10,000 cold starts';
  return markdownTable(
    ['connections all day', ...SIZES.map(count), 'if a machine fails'],
    [...options, [code, ...SIZES.map(() => money(codeCost())), '']],
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

/** The deployed console, in addition to an idle deployment. */
function consoleTable(): string {
  const sheet = priceSheetOf(parseWorkload({}).region);
  return markdownTable(
    ['console with sign-in', 'cost'],
    [
      ['a client secret', `${money(unitPrice(sheet, 'secret'))} a month`],
      [
        'polls of a person who watches the page in working hours, without metrics',
        `${money(consolePerson(sheet))} a month`,
      ],
      [
        `anonymous requests at the limit of ${CONSOLE_THROTTLE.rateLimit} a second`,
        `about ${money(floodDay(sheet))} a day`,
      ],
    ],
  );
}

function presetTable(all: AllRanges): string {
  return markdownTable(
    [
      '',
      ...ALL.map((each) => ARCHITECTURES[each] + (each === 't2' ? ', standard credits' : '')),
      'pings’ share of serverless',
    ],
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
