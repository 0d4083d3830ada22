import type { AutoScalingGroup } from 'aws-cdk-lib/aws-autoscaling';
import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import { graph } from '../namedDashboard.ts';
import { addBalancedHostsDashboard, missingHosts } from '../observability/balancedHosts.ts';
import type { Concern } from '../observability/concern.ts';
import type { ServiceMetrics } from '../serviceMetrics.ts';
import { ec2Metric } from './agentMetrics.ts';

/** Alarms on hosts and load balancer. @param count expected number of hosts */
export function groupConcerns(count: number, metrics: ServiceMetrics): Concern[] {
  return [
    {
      ...missingHosts('hosts', count, metrics),
      // A new machine takes about as long.
      periods: 10,
      meaning: `For ten minutes, fewer than ${count} hosts were ready. The activity of the Auto Scaling group shows why machines do not start. Look also in the log of the host.`,
    },
    {
      name: 'host-balancer-ports',
      metric: metrics.balancer('PortAllocationErrorCount', 'Sum'),
      limit: 0,
      meaning:
        'The load balancer refused connections, because it has about 55,000 ports for each host. Raise host.count in the settings.',
    },
  ];
}

/** Adds the dashboard of several hosts, with their processor and its credits. @returns its URL */
export function addGroupDashboard(
  scope: Construct,
  deployment: string,
  { autoScalingGroupName: AutoScalingGroupName }: AutoScalingGroup,
  served: { readonly metrics: ServiceMetrics; readonly flags: ITableV2 },
): string {
  const ec2 = (name: string, statistic: string) => ec2Metric(name, statistic, { AutoScalingGroupName });
  return addBalancedHostsDashboard(scope, {
    ...served,
    name: `${deployment}-Host`,
    what: 'Hosts',
    resources: [
      graph('Processor (%)', [ec2('CPUUtilization', 'Average'), ec2('CPUUtilization', 'Maximum')]),
      graph('Processor credits', [ec2('CPUCreditBalance', 'Minimum')]),
    ],
  });
}
