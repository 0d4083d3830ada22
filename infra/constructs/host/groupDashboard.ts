import type { AutoScalingGroup } from 'aws-cdk-lib/aws-autoscaling';
import { type IWidget, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Duration } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { HostBalancer } from '../hostBalancer.ts';
import { addDashboard, graph } from '../namedDashboard.ts';
import type { Concern } from '../observability/concern.ts';
import { missingHosts } from '../observability/missingHosts.ts';
import { tableThrottles } from '../observed.ts';
import { ServiceMetrics } from '../serviceMetrics.ts';

/** The metrics of a load balancer and the machines behind it. */
export function groupMetrics({ balancer, targets }: HostBalancer): ServiceMetrics {
  const LoadBalancer = balancer.loadBalancerFullName;
  return new ServiceMetrics({
    balancer: { LoadBalancer },
    targets: { LoadBalancer, TargetGroup: targets.targetGroupFullName },
    service: {},
  });
}

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

/** Settings of the dashboard. */
interface GroupDashboardProps {
  readonly deployment: string;
  readonly metrics: ServiceMetrics;
  readonly group: AutoScalingGroup;
  readonly flags: ITableV2;
}

/** The dashboard of several hosts: connections, ready hosts, processor and its credits, and refusals of the load balancer. */
export class GroupDashboard extends Construct {
  /** URL of the dashboard, after signing in. */
  readonly url: string;

  constructor(scope: Construct, id: string, { deployment, metrics, group, flags }: GroupDashboardProps) {
    super(scope, id);
    const ec2 = (metricName: string, statistic: string) =>
      new Metric({
        namespace: 'AWS/EC2',
        metricName,
        dimensionsMap: { AutoScalingGroupName: group.autoScalingGroupName },
        period: Duration.minutes(5),
        statistic,
      });
    const widgets: IWidget[][] = [
      [
        graph('Connections', [metrics.balancer('ActiveFlowCount', 'Average')]),
        graph('New connections a minute', [metrics.balancer('NewFlowCount', 'Sum')]),
        graph('Hosts', [
          metrics.targets('HealthyHostCount', 'Maximum'),
          metrics.targets('UnHealthyHostCount', 'Maximum'),
        ]),
      ],
      [
        graph('Processor (%)', [ec2('CPUUtilization', 'Average'), ec2('CPUUtilization', 'Maximum')]),
        graph('Processor credits', [ec2('CPUCreditBalance', 'Minimum')]),
        graph('Bytes through the balancer', [metrics.balancer('ProcessedBytes', 'Sum')]),
      ],
      [
        graph(
          'Refused and broken off',
          ['PortAllocationErrorCount', 'TCP_ELB_Reset_Count', 'TCP_Target_Reset_Count'].map((name) =>
            metrics.balancer(name, 'Sum'),
          ),
        ),
        graph('Throttled reads of the flags table', [tableThrottles(flags, 'Read')]),
      ],
    ];
    this.url = addDashboard(this, `${deployment}-Host`, 3, widgets);
  }
}
