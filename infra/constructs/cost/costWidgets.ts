import { GraphWidget, type IWidget, SingleValueWidget } from 'aws-cdk-lib/aws-cloudwatch';
import { type HourlyCost, projectedMonth } from './costMath.ts';

/** A stack's cost as it happens. */
interface StackCost {
  /** A prefix that is unique within a graph. */
  readonly id: string;
  readonly hourly: HourlyCost;
  /** US dollars a month that it costs whether it is used or not. */
  readonly standing: number;
}

/** Beside each other: what an hour costs, and what a month comes to if it goes on like the time that is shown. */
const HOUR = { width: 16, height: 6, leftYAxis: { min: 0 } };
const MONTH = { title: 'Cost of a month like the time shown (US dollars)', width: 8, height: 6 };

/** One stack's cost: an hour by service, and what a month comes to if it goes on like the time that is shown. */
export function costRow(where: string, cost: StackCost): IWidget[] {
  return [
    new GraphWidget({
      // What no metric tells, and what is paid by the month.
      title: `Cost an hour by service (US dollars, first-tier list prices of ${where}; without data out, steps beyond 32 KB, starts of functions, and storage)`,
      left: [...cost.hourly.services],
      stacked: true,
      ...HOUR,
    }),
    monthOf([cost]),
  ];
}

/** Both stacks' costs in one picture. */
export function sideBySide(where: string, costs: readonly StackCost[]): IWidget[] {
  return [
    new GraphWidget({
      // The host reads the table that the other stack has its metrics of.
      title: `Cost an hour, side by side (US dollars, list prices of ${where}; the host’s reads of the table are in the other’s)`,
      left: costs.map(({ hourly }) => hourly.total),
      ...HOUR,
    }),
    monthOf(costs),
  ];
}

function monthOf(costs: readonly StackCost[]): IWidget {
  const metrics = costs.map(({ id, hourly, standing }) => projectedMonth(id, hourly.total, standing));
  return new SingleValueWidget({ metrics, ...MONTH });
}
