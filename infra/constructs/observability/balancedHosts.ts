import { type GraphWidget, type IMetric, MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Duration } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import { addDashboard, graph } from '../namedDashboard.ts';
import { tableThrottles } from '../observed.ts';
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

/** Settings of the dashboard of hosts behind a load balancer. */
interface BalancedHostsDashboard {
  readonly name: string;
  readonly what: 'Hosts' | 'Tasks';
  readonly metrics: ServiceMetrics;
  readonly flags: ITableV2;
  readonly connectionsPerHost?: IMetric;
  /** Two graphs of the hosts' resources. */
  readonly resources: readonly GraphWidget[];
  /** More metrics of the load balancer for refused connections. */
  readonly refusals?: readonly string[];
}

/** Adds a dashboard with connections, ready hosts, their resources, and refusals of the load balancer. @returns its URL */
export function addBalancedHostsDashboard(
  scope: Construct,
  { name, what, metrics, flags, connectionsPerHost, resources, refusals = [] }: BalancedHostsDashboard,
): string {
  const ready = (['HealthyHostCount', 'UnHealthyHostCount'] as const).map((each) => metrics.targets(each, 'Maximum'));
  const refused = ['PortAllocationErrorCount', 'TCP_ELB_Reset_Count', 'TCP_Target_Reset_Count', ...refusals];
  return addDashboard(scope, 'Observability', name, 3, [
    [
      graph(
        'Connections',
        [metrics.balancer('ActiveFlowCount', 'Average')],
        connectionsPerHost ? [connectionsPerHost] : [],
      ),
      graph('New connections a minute', [metrics.balancer('NewFlowCount', 'Sum')]),
      graph(what, ready),
    ],
    [...resources, graph('Bytes through the balancer', [metrics.balancer('ProcessedBytes', 'Sum')])],
    [
      graph(
        'Refused and broken off',
        refused.map((each) => metrics.balancer(each, 'Sum')),
      ),
      graph('Throttled reads of the flags table', [tableThrottles(flags, 'Read')]),
    ],
  ]);
}
