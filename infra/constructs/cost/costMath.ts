import { type IMetric, MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { type Dimensions, type Meter, metricOf } from '../../../cost/prices/meters.ts';
import { type PriceSheet, unitPrice } from '../../../cost/prices/priceSheet.ts';
import { MONTH_HOURS } from '../../../cost/prices/tiers.ts';
import { period } from '../observed.ts';

/** Prices are in millionths of a dollar: an expression has at most 2,048 characters. */
const MICRO = 1_000_000;

/**
 * US dollars an hour, which CloudWatch computes from its own metrics with the first tier of the price sheet and without free allowances.
 *
 * @param prefix of the metrics' ids, in lower case; ids must differ within a graph
 * @param standing US dollars a month that do not depend on usage
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
  // Several prices can apply to one metric, which is then shown once: a dashboard of up to 50 metrics is free.
  const byMetric = [...Map.groupBy(present, metricOf).values()];
  const usingMetrics: Record<string, IMetric> = {};
  const terms = byMetric.map((same, index) => {
    const id = `${prefix}m${index}`;
    usingMetrics[id] = toMetric(same[0] as Meter, dimensions);
    const usd = same.reduce((sum, { price, each }) => sum + unitPrice(sheet, price) * each, 0);
    // Without FILL, one metric without data would make the sum empty.
    return `FILL(${id}, 0) * ${decimal(usd * MICRO)}`;
  });
  const anHour = `${decimal(3_600 / MICRO)} / PERIOD(${prefix}m0)`;
  const expression = `(${terms.join(' + ')}) * ${anHour} + ${decimal(standing / MONTH_HOURS)}`;
  return new MathExpression({ expression, usingMetrics, label, period });
}

function toMetric({ namespace, metric, statistic, resource }: Meter, dimensions: Dimensions): Metric {
  return new Metric({ namespace, metricName: metric, dimensionsMap: { ...dimensions[resource] }, statistic, period });
}

/** Formats a number without an exponent, which metric math does not have. */
function decimal(value: number): string {
  const text = value.toFixed(12).replace(/0+$/, '');
  return text.endsWith('.') ? text.slice(0, -1) : text;
}
