import { type IMetric, MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import { functionsOf, httpMetric, type Observed, ownMetric, period, streamingMetric } from './observed.ts';
import { prices } from './prices.ts';

/** A sum of products: how much of a metric, at how many dollars a unit. */
interface Item {
  readonly metric: IMetric;
  readonly usd: number;
}

/**
 * What a deployment costs as it is used, in US dollars by service, made of CloudWatch's own metrics at {@link prices}.
 *
 * Left out are what does not follow from use (storage, backup, alarms, the dashboard), logs, data transfer, and a second
 * and third step of 32 KB in large messages. A connection's minutes are counted when it ends.
 */
export function costEstimate(observed: Observed): MathExpression[] {
  const { webSocketMessage, connectionMinute, httpRequest, readUnit, writeUnit } = prices;
  const perMillisecond = connectionMinute / 60_000;
  return [
    sumOf('WebSocket API', 'ws', [
      { metric: streamingMetric(observed, 'MessageCount'), usd: webSocketMessage },
      { metric: ownMetric(observed, 'websocket.connections.duration', 'Sum'), usd: perMillisecond },
    ]),
    sumOf('HTTP API', 'http', [{ metric: httpMetric(observed, 'Count'), usd: httpRequest }]),
    sumOf('Lambda', 'lambda', Object.values(functionsOf(observed)).flatMap(lambdaItems)),
    sumOf(
      'DynamoDB',
      'table',
      Object.values(observed.tables).flatMap((table) => [
        { metric: table.metricConsumedReadCapacityUnits({ statistic: 'Sum', period }), usd: readUnit },
        { metric: table.metricConsumedWriteCapacityUnits({ statistic: 'Sum', period }), usd: writeUnit },
      ]),
    ),
  ];
}

/** The services' costs together. */
export function totalCost(services: readonly MathExpression[]): MathExpression {
  return new MathExpression({
    expression: services.map((_, index) => `service${index}`).join(' + '),
    usingMetrics: Object.fromEntries(services.map((service, index) => [`service${index}`, service])),
    label: 'US dollars',
    period,
  });
}

function lambdaItems({ handler, memoryMb }: ReturnType<typeof functionsOf>[string]): Item[] {
  const perMillisecond = (prices.lambdaGbSecond * (memoryMb / 1024)) / 1000;
  return [
    { metric: handler.metricInvocations({ statistic: 'Sum', period }), usd: prices.lambdaRequest },
    { metric: handler.metricDuration({ statistic: 'Sum', period }), usd: perMillisecond },
  ];
}

/** @param prefix of the metrics' ids, which have to differ within a graph */
function sumOf(label: string, prefix: string, items: readonly Item[]): MathExpression {
  return new MathExpression({
    // Without FILL, one metric without data would blank out the sum.
    expression: items.map(({ usd }, index) => `FILL(${prefix}${index}, 0) * ${decimal(usd)}`).join(' + '),
    usingMetrics: Object.fromEntries(items.map(({ metric }, index) => [`${prefix}${index}`, metric])),
    label,
    period,
  });
}

/** Metric math knows no exponents. */
function decimal(usd: number): string {
  return usd.toFixed(18).replace(/0+$/, '');
}
