import type { MetricDataQuery } from '@aws-sdk/client-cloudwatch';
import { type Dimensions, type Meter, metricOf } from '../prices/meters.ts';
import type { TimeSpan } from './timeSpan.ts';

/** What of CloudWatch's client is used: pages of values, by the ids of queries. */
type MetricReader = (
  queries: readonly MetricDataQuery[],
  span: TimeSpan,
) => AsyncIterable<{
  readonly MetricDataResults?: readonly { readonly Id?: string; readonly Values?: readonly number[] }[] | undefined;
}>;

/** For how long CloudWatch has values of five minutes; after that, of an hour. */
const FINE_DAYS = 63;
/** Queries that one request may have. */
const BATCH = 500;

/**
 * Reads what meters say, over a time span.
 *
 * @returns a function that gives a meter's sum; 0 where it measured nothing, or the deployment has no such part
 */
export async function readUsage(
  read: MetricReader,
  meters: readonly Meter[],
  dimensions: Dimensions,
  span: TimeSpan,
  now: number,
): Promise<(meter: Meter) => number> {
  const Period = now - span.from.getTime() > FINE_DAYS * 86_400_000 ? 3_600 : 300;
  const present = meters.filter(({ resource }) => dimensions[resource] !== undefined);
  const distinct = [...new Map(present.map((meter) => [metricOf(meter), meter])).entries()];
  const queries = distinct.map(([, { namespace, metric, statistic, resource }], index): MetricDataQuery => {
    const Dimensions = Object.entries(dimensions[resource] ?? {}).map(([Name, Value]) => ({ Name, Value }));
    return {
      Id: `m${index}`,
      MetricStat: { Metric: { Namespace: namespace, MetricName: metric, Dimensions }, Period, Stat: statistic },
    };
  });
  const sums = new Map<string, number>();
  for (let first = 0; first < queries.length; first += BATCH) {
    for await (const { MetricDataResults = [] } of read(queries.slice(first, first + BATCH), span)) {
      for (const { Id = '', Values = [] } of MetricDataResults) {
        const [key = ''] = distinct[Number(Id.slice(1))] ?? [];
        sums.set(key, (sums.get(key) ?? 0) + Values.reduce((sum, value) => sum + value, 0));
      }
    }
  }
  return (meter) => sums.get(metricOf(meter)) ?? 0;
}
