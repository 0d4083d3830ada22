import { MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import { Duration } from 'aws-cdk-lib/core';
import type { ServiceMetrics } from '../serviceMetrics.ts';
import type { Concern } from './concern.ts';

/**
 * Fewer hosts behind a balancer are ready than there are to be.
 *
 * @param what they are called
 * @param count how many there are to be
 */
export function missingHosts(
  what: 'hosts' | 'tasks',
  count: number,
  metrics: ServiceMetrics,
): Pick<Concern, 'name' | 'metric' | 'limit' | 'missingData'> {
  const metric = new MathExpression({
    expression: `${count} - FILL(${what}, 0)`,
    usingMetrics: { [what]: metrics.targets('HealthyHostCount', 'Maximum') },
    label: `${what} that are missing`,
    period: Duration.minutes(1),
  });
  // A balancer reports HealthyHostCount only while targets are registered.
  return { name: `${what}-missing`, metric, limit: 0, missingData: 'breaching' };
}
