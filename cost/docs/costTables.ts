import { markdownTable } from '../../shared/command/markdownTable.ts';
import { SDK_PING_SECONDS } from '../../shared/protocol/ping.ts';
import { type AllRanges, rangesOf } from '../assumptions/rangesOf.ts';
import { ARCHITECTURES, type Architecture, choose, compare, costOf, readiness } from '../model/report/compare.ts';
import { costCurve, crossings } from '../model/report/crossings.ts';
import { reportOn } from '../model/report/report.ts';
import { count, money, range, share } from '../model/workload/figures.ts';
import { PRESETS } from '../model/workload/presets.ts';
import { codeReadUnits } from '../model/workload/units.ts';
import { IDLE, parseWorkload, type WorkloadInput } from '../model/workload/workload.ts';
import { FEATBIT_PARTS, featbitMonth } from '../prices/featbitMonth.ts';
import { unitPrice } from '../prices/priceSheet.ts';
import { priceSheetOf } from '../prices/sheets.ts';

const ALL = Object.keys(ARCHITECTURES) as Architecture[];

/** Numbers of connections of typical readers of README. */
const SIZES = [12, 60, 1_000, 10_000];
/** Ping intervals in seconds: of most SDKs, of some others, and what applications may set. */
const PINGS = [SDK_PING_SECONDS, 10, 60, 300];

/** The tables of README.md and docs by name. */
export const COST_TABLES: Readonly<Record<string, (all: AllRanges) => string>> = {
  sizes: sizesTable,
  idle: idleTable,
  'break-even': breakEvenTable,
  million: millionTable,
  presets: presetTable,
  featbit: featbitTable,
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

/** A month of each option, of one t2.micro in unlimited mode. The choice is bold. The last row costs the same with each. */
function sizesTable(all: AllRanges): string {
  const sizes = SIZES.map((connections) =>
    compare(parseWorkload({ connections, credits: 'unlimited' }), rangesOf(all)),
  );
  const options = ALL.map((each, row) => [
    each === 'door' ? `${ARCHITECTURES[each]} (machine + serverless)` : ARCHITECTURES[each],
    ...sizes.map((costs) => {
      const usd = money(costs[row]?.bill.total ?? Number.NaN);
      return choose(costs)?.architecture === each ? `**${usd}**` : usd;
    }),
  ]);
  const code = 'plus code in Lambda: a million invocations, 10,000 cold starts';
  return markdownTable(
    ['connections all day', ...SIZES.map(count)],
    [...options, [code, ...SIZES.map(() => money(codeCost()))]],
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
  return markdownTable(
    ['ping interval', 'serverless up to', 'then', 'a month there'],
    PINGS.map((ping) => {
      const { connections, to, usd } = breakEven(ping, all);
      return [`${ping} s`, `${count(connections)} connections`, ARCHITECTURES[to], money(usd)];
    }),
  );
}

/** StormForge's load with quotas that AWS raised for it. */
function millionTable(all: AllRanges): string {
  const raised: WorkloadInput = { ...PRESETS.stormforge.workload, requestQuota: 2e6, connectQuota: 1e6 };
  const of = (each: Architecture) => costOf(each, parseWorkload(raised), rangesOf(all).expected).bill.total;
  const [serverless, fargate] = [of('serverless'), of('fargate')];
  return markdownTable(
    ['', ARCHITECTURES.serverless, ARCHITECTURES.fargate],
    [
      [
        'a million connections for an hour, each with a message a second',
        `${money(serverless)} (${count(serverless / fargate)} ×)`,
        money(fargate),
      ],
    ],
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
