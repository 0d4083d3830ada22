import { markdownTable } from '../../shared/command/markdownTable.ts';
import { SDK_PING_SECONDS } from '../../shared/protocol/ping.ts';
import type { Range } from '../assumptions/rangesOf.ts';
import { rangesOf } from '../assumptions/rangesOf.ts';
import type { Assumptions } from '../model/assumptions.ts';
import { ARCHITECTURES, type Architecture, costOf } from '../model/compare.ts';
import { breakEven } from '../model/crossings.ts';
import { count, money, range, share } from '../model/figures.ts';
import { ADVISED_PING_SECONDS } from '../model/levers.ts';
import { PRESETS } from '../model/presets.ts';
import { reportOn } from '../model/report.ts';
import { t4gNanoUsd } from '../model/t4gNano.ts';
import { parseWorkload, type WorkloadInput } from '../model/workload.ts';
import { PRICE_KEYS } from '../prices/priceSheet.ts';
import { TASK_CONNECTIONS } from '../prices/serviceFacts.ts';
import { priceSheetOf, REGIONS } from '../prices/sheets.ts';
import { breakEvenByStage, heldAllTime } from './breakEven.ts';
import { MILLION_HOURS } from './millionHours.ts';
import { publishedT2 } from './publishedT2.ts';

const ALL = Object.keys(ARCHITECTURES) as Architecture[];
/** The longest ping to advise: load balancers with TLS forget a connection after 350 s. */
const LONGEST_PING = 300;
const PINGS = [10, 15, SDK_PING_SECONDS, ADVISED_PING_SECONDS, LONGEST_PING];

/** docs/cost.md: the comparison in words, with figures of the model. */
export function costPage(all: Readonly<Record<keyof Assumptions, Range>>): string {
  const assumed = rangesOf(all).expected;
  const usd = (which: Architecture, workload: WorkloadInput) =>
    costOf(which, parseWorkload(workload), assumed).bill.total;
  const held = (which: Architecture, connections: number, ping: number) =>
    costOf(which, heldAllTime(connections, ping), assumed).bill.total;
  const ratioOf = (workload: WorkloadInput) => count(round(usd('serverless', workload) / usd('fargate', workload)));
  const [everySecond, , everyTen, everyEighteen] = MILLION_HOURS.map(({ workload }) => ratioOf(workload));
  const fewest = breakEvenByStage(SDK_PING_SECONDS, assumed).stages.at(-1)?.connections ?? Number.NaN;

  const bare = (connections: number) => t4gNanoUsd(heldAllTime(connections, SDK_PING_SECONDS), assumed);
  const fewerThanBare = breakEven((connections) => held('serverless', connections, SDK_PING_SECONDS), bare);

  return `<!-- Written by \`npm run cost:docs\`; a test holds it to the model. -->

# What it costs

**For large fleets serverless loses, by ${everyEighteen} to ${everyTen} times with FeatBit’s SDKs as they are**: a million of their connections, held for an hour with a
ping every 18 or 10 seconds, against Fargate; by ${everySecond} times with a message a second. API Gateway counts each ping and each pong as a
message, and so the heartbeat alone makes one t2.micro the cheaper one from about ${count(fewest)} connections on that are held all day. Serverless wins where few
are connected, or rarely, or the SDKs can be told to ping less.

All figures are US dollars a month of 730 hours at list prices of us-east-1, without tax and free allowances, unless they
say otherwise. They are computed, not billed: [unverified.md](unverified.md). \`npm run cost\` computes them for any load, and
\`npm run cost -- --html\` writes a page with sliders. What others would pick, from AppSync Events to LaunchDarkly: [cost-others.md](cost-others.md).

## When to choose which

- **Up to some ${count(rounded(fewest))} connections at 18 s pings, or traffic that goes to zero: serverless.** It costs ${money(usd('serverless', {}))} a month while nobody is connected, alarms
  and dashboard included, and nobody looks after a machine. That is cheap beside a t2.micro with the same care, and up to ${count(Math.floor(fewerThanBare ?? Number.NaN))}
  connections beside a bare t4g.nano that nobody watches: that is ${money(bare(1))} with a single connection, and serverless ${money(held('serverless', 1, SDK_PING_SECONDS))}.
  Only Lightsail’s at a fixed price is less from the first connection on ([cost-others.md](cost-others.md)).
- **Hundreds to thousands of connections, and a restart may be noticed: one small machine.** A t2.micro is the published benchmark’s. What ends
  first there are its processor credits, not its memory: have it look for changes twice a second in place of twenty times
  (\`POLL_INTERVAL_MS=500\`), as all figures here do, or let it go on without credits at a price.
- **Tens of thousands and more, or no single machine may matter: Fargate behind a network load balancer.** The balancer and
  its addresses make it the most expensive when idle, and connections hardly count after that.
- **Two t2.micro or more** cost a little less than Fargate where their credits suffice or are bought, and are more work: their certificates, their
  names and their updates are yours. TLS ends on the machine in the figures here, as pages on https need it; \`--machine-tls\` prices a load balancer,
  CloudFront, or none, as in the published benchmark.
- **Fargate Spot** takes half off the tasks and nothing off the load balancer, which is more than the tasks of a small service.
- **Whatever you choose, lengthen the ping to between 60 and 300 s.** JavaScript, Node and .NET let the application set it. At 60 s serverless costs
  ${share(1 - held('serverless', 1_000, ADVISED_PING_SECONDS) / held('serverless', 1_000, SDK_PING_SECONDS))} less for a thousand connections held all day than at 18 s; beyond 300 s connections are lost on the way, as home routers
  forget a silent one after a minute or more, load balancers with TLS after 350 s, and API Gateway ends it after ten minutes.

## Connections held all day, by the ping interval

Serverless, US dollars a month, with the multiple of one t2.micro that goes on without credits at a price:

${markdownTable(
  ['held all day', ...PINGS.map((ping) => `${ping} s`)],
  [10, 100, 1_000, 10_000].map((connections) => [
    count(connections),
    ...PINGS.map((ping) => {
      const [serverless, machine] = [held('serverless', connections, ping), held('t2', connections, ping)];
      return `${money(serverless)} (${(serverless / machine).toFixed(1)}×)`;
    }),
  ]),
)}

## Where one t2.micro begins to be cheaper

Connections held all day, and what each part of the two bills does to the border:

${breakEvenTable(assumed)}

The first line is what one computes from the price pages. A t2.micro is
more than its hours, though: it needs an address, a disk, measurements, and it looks for changes twice a second. Serverless has
more than its messages, as well: access logs, connecting anew, alarms. So the border moves, as the lines below the first say.

## A month of four kinds

${presetTable(all)}

What is not possible as it stands, \`npm run cost -- --preset …\` gives the reason for. Between the brackets is the range that the assumptions leave.

## A million clients for one hour

${markdownTable(
  ['case', ...ALL.filter((each) => each !== 't2').map((each) => ARCHITECTURES[each])],
  MILLION_HOURS.map(({ name, workload }) => [
    name,
    ...ALL.filter((each) => each !== 't2').map((each) => money(usd(each, workload))),
  ]),
)}

Servers are counted for that hour alone, and API Gateway as in a month’s first hour, before its cheaper tier. Opening a million connections takes API Gateway 33 minutes at its quota of 500 a second, and
its throttle of 10,000 requests a second would have to be raised a hundredfold for a message a second: no account has that by default.

## What we would do

| connections at the busiest | what | why |
|---:|---|---|
| up to ${count(rounded(fewest))} | serverless as it is | it costs less than a machine, and nothing has to be looked after |
| to some hundreds | serverless with pings of a minute or more, if the SDKs are yours to set | the heartbeat is the bill; at five minutes a thousand connections cost ${money(held('serverless', 1_000, LONGEST_PING))} |
| to ${count(TASK_CONNECTIONS)} | one small machine, where a restart may be noticed | ${money(costOf('t2', heldAllTime(TASK_CONNECTIONS, SDK_PING_SECONDS), assumed).bill.total)} a month as a t2.micro, its surplus credits included; two are ${money(costOf('fleet', heldAllTime(TASK_CONNECTIONS, SDK_PING_SECONDS), assumed).bill.total)} |
| more, or no machine may matter | Fargate, two tasks or more, one for ${count(TASK_CONNECTIONS)} connections, behind a network load balancer | connections are nearly free there; data out is most of the bill |

The flags stay in the same table whichever it is, so moving is a matter of the SDKs’ streaming URL.

## Beside the published t2.micro

${publishedT2(all)}

## How far this can be trusted

${count(PRICE_KEYS.filter((key) => priceSheetOf('us-east-1').prices[key].isConfirmed).length)} of ${PRICE_KEYS.length} prices of us-east-1 and ${count(PRICE_KEYS.filter((key) => priceSheetOf('eu-west-1').prices[key].isConfirmed).length)} of eu-west-1 have been confirmed in a second place; \`npm run prices -- refresh\` looks all
of them up in AWS’s Price List. What is assumed (how long functions run, how many connections a machine holds, how fast its core is) is listed on
the page with its range and where it comes from: our own measurements in [results](results), documentation, or judgement. Once
deployed, \`npm run cost -- --actual --from … --to …\` prices what CloudWatch measured, and sets it beside Cost Explorer’s figure; the
dashboards show the same by the hour. Regions with a sheet: ${REGIONS.join(', ')};
elsewhere the dashboards show Northern Virginia’s prices, and say so.
`;
}

function breakEvenTable(assumed: Assumptions): string {
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

function presetTable(all: Readonly<Record<keyof Assumptions, Range>>): string {
  return markdownTable(
    ['', ...ALL.map((each) => ARCHITECTURES[each]), 'pings’ share of serverless'],
    Object.values(PRESETS).map(({ title, about, workload }) => {
      const { architectures } = reportOn(parseWorkload(workload), rangesOf(all));
      const cells = architectures.map(({ bill, low, high, isPossible }) =>
        isPossible ? `${money(bill.total)} (${range({ low, high })})` : 'not possible',
      );
      const [serverless] = architectures;
      return [`**${title}**: ${about}`, ...cells, serverless?.isPossible ? share(serverless.heartbeatShare) : '–'];
    }),
  );
}

function round(value: number): number {
  return Number(value.toPrecision(2));
}

/** Down to something one can remember. */
function rounded(value: number): number {
  return Math.floor(value / 10) * 10;
}
