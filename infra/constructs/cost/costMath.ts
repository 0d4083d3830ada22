import { type IMetric, MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { Meter, MeteredResource } from '../../../cost/prices/meters.ts';
import { type PriceSheet, unitPrice } from '../../../cost/prices/priceSheet.ts';
import { MONTH_HOURS } from '../../../cost/prices/tiers.ts';
import { period } from '../observed.ts';

/** The dimensions by which CloudWatch knows the parts of a deployment; a part that it does not have is left out. */
export type Dimensions = Partial<Record<MeteredResource, Readonly<Record<string, string>>>>;

/** Prices are in millionths of a dollar: an expression has at most 2,048 characters. */
const MICRO = 1_000_000;

/**
 * US dollars an hour as CloudWatch computes them from its own metrics, at the first tier of the price sheet and without
 * free allowances.
 *
 * @param prefix of the metrics' ids, which have to differ within a graph: lower case
 * @param standing US dollars a month that are paid whether anything is used or not
 */
export function hourlyCost(
  prefix: string,
  meters: readonly Meter[],
  sheet: PriceSheet,
  dimensions: Dimensions,
  label: string,
  standing = 0,
): MathExpression {
  const present = meters.filter(({ resource }) => dimensions[resource] !== undefined);
  // Several prices may be due for one metric, which is then shown once: a dashboard of up to 50 is free.
  const byMetric = [...Map.groupBy(present, keyOf).values()];
  const usingMetrics: Record<string, IMetric> = {};
  const terms = byMetric.map((same, index) => {
    const id = `${prefix}m${index}`;
    usingMetrics[id] = metricOf(same[0] as Meter, dimensions);
    const usd = same.reduce((sum, { price, each }) => sum + unitPrice(sheet, price) * each, 0);
    // Without FILL, one metric without data would blank out the sum.
    return `FILL(${id}, 0) * ${decimal(usd * MICRO)}`;
  });
  const anHour = `${decimal(3_600 / MICRO)} / PERIOD(${prefix}m0)`;
  const expression = `(${terms.join(' + ')}) * ${anHour} + ${decimal(standing / MONTH_HOURS)}`;
  return new MathExpression({ expression, usingMetrics, label, period });
}

function keyOf({ namespace, metric, statistic, resource }: Meter): string {
  return [namespace, metric, statistic, resource].join(' ');
}

function metricOf({ namespace, metric, statistic, resource }: Meter, dimensions: Dimensions): Metric {
  return new Metric({ namespace, metricName: metric, dimensionsMap: { ...dimensions[resource] }, statistic, period });
}

/** Metric math knows no exponents. */
function decimal(value: number): string {
  const text = value.toFixed(12).replace(/0+$/, '');
  return text.endsWith('.') ? text.slice(0, -1) : text;
}
