import { MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import { Duration } from 'aws-cdk-lib/core';
import type { ServiceMetrics } from '../serviceMetrics.ts';
import type { Concern } from './concern.ts';

/**
 * The concern that fewer hosts behind a load balancer are ready than expected.
 *
 * @param what name of the hosts
 * @param count expected number
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
  // A load balancer reports HealthyHostCount only while targets are registered.
  return { name: `${what}-missing`, metric, limit: 0, missingData: 'breaching' };
}
