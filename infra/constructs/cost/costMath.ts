import { type IMetric, MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { Meter, MeteredResource } from '../../../cost/prices/meters.ts';
import { type PriceSheet, unitPrice } from '../../../cost/prices/priceSheet.ts';
import { MONTH_HOURS } from '../../../cost/prices/tiers.ts';
import { period } from '../observed.ts';

/** The dimensions by which CloudWatch knows the parts of a deployment; a part that it does not have is left out. */
export type Dimensions = Partial<Record<MeteredResource, Readonly<Record<string, string>>>>;

/** What one service costs, and everything. */
export interface HourlyCost {
  /** US dollars an hour by service, each a metric of its own. */
  readonly services: readonly MathExpression[];
  /** US dollars an hour, all services together. */
  readonly total: MathExpression;
}

/**
 * US dollars an hour as CloudWatch computes them from its own metrics, at the first tier of the price sheet and without
 * free allowances.
 *
 * @param prefix of the metrics' ids, which have to differ within a graph: lower case
 */
export function hourlyCost(
  prefix: string,
  meters: readonly Meter[],
  sheet: PriceSheet,
  dimensions: Dimensions,
  label: string,
): HourlyCost {
  const present = meters.filter(({ resource }) => dimensions[resource] !== undefined);
  const byService = [...Map.groupBy(present, ({ service }) => service)];
  const services = byService.map(([service, own], index) =>
    serviceCost(`${prefix}${index}`, service, own, sheet, dimensions),
  );
  const total = new MathExpression({
    expression: services.map((_, index) => `${prefix}s${index}`).join(' + '),
    usingMetrics: Object.fromEntries(services.map((service, index) => [`${prefix}s${index}`, service])),
    label,
    period,
  });
  return { services, total };
}

/** What a cost an hour comes to in a month if it goes on like that. @param standing US dollars a month whatever happens */
export function projectedMonth(id: string, hourly: MathExpression, standing: number): MathExpression {
  return new MathExpression({
    // What is shown has to be a series, and an average is a number.
    expression: `TIME_SERIES(AVG(${id}) * ${MONTH_HOURS} + ${decimal(standing)})`,
    usingMetrics: { [id]: hourly },
    label: `${hourly.label}, a month`,
    period,
  });
}

function serviceCost(
  prefix: string,
  service: string,
  meters: readonly Meter[],
  sheet: PriceSheet,
  dimensions: Dimensions,
): MathExpression {
  const metrics: Record<string, IMetric> = {};
  const terms = meters.map((meter, index) => {
    const id = `${prefix}m${index}`;
    metrics[id] = metricOf(meter, dimensions);
    // Without FILL, one metric without data would blank out the sum.
    return `FILL(${id}, 0) * ${decimal(unitPrice(sheet, meter.price) * meter.each)}`;
  });
  return new MathExpression({
    expression: `(${terms.join(' + ')}) * 3600 / PERIOD(${prefix}m0)`,
    usingMetrics: metrics,
    label: service,
    period,
  });
}

function metricOf({ namespace, metric, statistic, resource }: Meter, dimensions: Dimensions): Metric {
  return new Metric({ namespace, metricName: metric, dimensionsMap: { ...dimensions[resource] }, statistic, period });
}

/** Metric math knows no exponents. */
function decimal(usd: number): string {
  const text = usd.toFixed(18).replace(/0+$/, '');
  return text.endsWith('.') ? text.slice(0, -1) : text;
}
