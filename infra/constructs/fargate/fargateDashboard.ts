import type { IWidget } from 'aws-cdk-lib/aws-cloudwatch';
import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';
import { addDashboard, graph } from '../namedDashboard.ts';
import { tableThrottles } from '../observed.ts';
import type { ServiceMetrics } from '../serviceMetrics.ts';

/** Settings of the dashboard. */
interface FargateDashboardProps {
  readonly deployment: string;
  readonly metrics: ServiceMetrics;
  readonly flags: ITableV2;
}

/** The dashboard of the hosts on Fargate: connections, tasks, processor and memory, and refusals of the load balancer. */
export class FargateDashboard extends Construct {
  /** URL of the dashboard, after signing in. */
  readonly url: string;

  constructor(scope: Construct, id: string, { deployment, metrics, flags }: FargateDashboardProps) {
    super(scope, id);
    const both = (name: 'CPUUtilization' | 'MemoryUtilization') =>
      (['Average', 'Maximum'] as const).map((statistic) =>
        metrics.service(name, statistic).with({ label: `${name}, ${statistic.toLowerCase()}` }),
      );
    const widgets: IWidget[][] = [
      [
        graph('Connections', [metrics.balancer('ActiveFlowCount', 'Average')], [metrics.connectionsATask()]),
        graph('New connections a minute', [metrics.balancer('NewFlowCount', 'Sum')]),
        graph('Tasks', [
          metrics.targets('HealthyHostCount', 'Maximum'),
          metrics.targets('UnHealthyHostCount', 'Maximum'),
        ]),
      ],
      [
        graph('Processor (%)', both('CPUUtilization')),
        graph('Memory (%)', both('MemoryUtilization')),
        graph('Bytes through the balancer', [metrics.balancer('ProcessedBytes', 'Sum')]),
      ],
      [
        graph(
          'Refused and broken off',
          [
            'PortAllocationErrorCount',
            'TCP_ELB_Reset_Count',
            'TCP_Target_Reset_Count',
            'ClientTLSNegotiationErrorCount',
          ].map((name) => metrics.balancer(name, 'Sum')),
        ),
        graph('Throttled reads of the flags table', [tableThrottles(flags, 'Read')]),
      ],
    ];
    this.url = addDashboard(this, `${deployment}-Fargate`, 3, widgets);
  }
}
