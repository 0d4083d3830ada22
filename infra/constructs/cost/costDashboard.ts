import { GraphWidget, type IMetric, MathExpression, SingleValueWidget, TextWidget } from 'aws-cdk-lib/aws-cloudwatch';
import { Duration } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import { MONTH_HOURS } from '../../../cost/prices/tiers.ts';
import { addDashboard, graph } from '../namedDashboard.ts';
import { period } from '../observed.ts';
import { sheetFor } from './sheetFor.ts';

/** A design of the service, for comparison. */
export interface Design {
  /** Prefix of the ids of its metrics, in lower case. Ids differ within a graph. */
  readonly id: string;
  /** US dollars an hour, including what is unused. Its label is the name of the design. */
  readonly hourly: MathExpression;
  /** Average of open connections. */
  readonly connections: IMetric;
  /** Data-syncs in a period. Absent if CloudWatch does not count them. */
  readonly syncs?: IMetric;
}

/** The measures, with one line for each design that has the measure. */
interface Measure {
  readonly title: string;
  readonly lineFor: (design: Design) => MathExpression | undefined;
}

const HOURLY: Measure = { title: 'US dollars an hour', lineFor: ({ hourly }) => hourly };
const RATIOS: readonly Measure[] = [
  { title: 'US dollars per million data-syncs', lineFor: perMillionSyncs },
  { title: 'US dollars a month per 1,000 connections', lineFor: perThousandConnections },
];

/** Settings of the dashboard. */
interface CostDashboard {
  readonly deployment: string;
  readonly designs: readonly Design[];
  /** Whether the dashboard must be free. Each metric counts as often as it is shown, and a dashboard of up to 50 metrics is free. */
  readonly lean: boolean;
}

/**
 * Adds a dashboard with the cost of each deployed design. A graph of serverless takes about forty metrics. A lean deployment therefore has all lines in one free
 * graph. Others have a graph for each measure, and sums.
 *
 * Source: https://aws.amazon.com/cloudwatch/pricing/
 *
 * @returns its URL
 */
export function addCostDashboard(scope: Construct, { deployment, designs, lean }: CostDashboard): string {
  const notes = new TextWidget({ markdown: notesOn(sheetFor(scope).name), width: 24, height: 3 });
  const widgets = lean
    ? [[allInOne(designs)]]
    : [
        [HOURLY, ...RATIOS].map((measure) => graph(measure.title, linesOf(measure, designs))),
        [sumOf('day', 1, designs), sumOf('30 days', 30, designs)],
      ];
  return addDashboard(scope, 'Costs', `${deployment}-Cost`, 24, [[notes], ...widgets]);
}

function notesOn(region: string): string {
  return [
    `List prices of ${region}, first tier, on demand, without free allowances. Fixed costs are included by the hour.`,
    'Not included: data transfer out, message steps above 32 KB, initialization of functions, storage. Table reads of hosts are in the serverless line.',
    'Serverless counts the time of a connection when it ends. Behind a load balancer, each new connection counts as one data-sync. A single machine does not count data-syncs.',
  ].join('\n\n');
}

function allInOne(designs: readonly Design[]): GraphWidget {
  return new GraphWidget({
    title: 'Cost by design (US dollars: an hour on the left, the others on the right)',
    left: linesOf(HOURLY, designs, true),
    right: RATIOS.flatMap((ratio) => linesOf(ratio, designs, true)),
    width: 24,
    height: 9,
    leftYAxis: { min: 0 },
    rightYAxis: { min: 0 },
  });
}

/** @param isNamed whether labels name the measure, for a graph with several */
function linesOf({ title, lineFor }: Measure, designs: readonly Design[], isNamed = false): IMetric[] {
  return designs.flatMap((design) => {
    const { label } = design.hourly;
    const name = isNamed ? `${label}: ${title}` : label;
    return lineFor(design)?.with({ label: `${name}, average \${AVG}` }) ?? [];
  });
}

function perMillionSyncs({ id, hourly, syncs }: Design): MathExpression | undefined {
  if (!syncs) return undefined;
  return new MathExpression({
    expression: `${id}usd * PERIOD(${id}syncs) / 3600 / ${id}syncs * 1000000`,
    usingMetrics: { [`${id}usd`]: hourly, [`${id}syncs`]: syncs },
    period,
  });
}

function perThousandConnections({ id, hourly, connections }: Design): MathExpression {
  return new MathExpression({
    expression: `${id}usd * ${MONTH_HOURS * 1_000} / ${id}held`,
    usingMetrics: { [`${id}usd`]: hourly, [`${id}held`]: connections },
    period,
  });
}

function sumOf(span: string, days: number, designs: readonly Design[]): SingleValueWidget {
  const metrics = designs.map(
    ({ id, hourly }) =>
      new MathExpression({
        // A shown value must be a series, and an average is a number.
        expression: `TIME_SERIES(AVG(${id}usd) * ${days * 24})`,
        usingMetrics: { [`${id}usd`]: hourly },
        label: hourly.label ?? id,
        period: Duration.hours(1),
      }),
  );
  const title = `US dollars in the last ${span}`;
  return new SingleValueWidget({ title, metrics, start: `-P${days}D`, width: 12, height: 4 });
}
