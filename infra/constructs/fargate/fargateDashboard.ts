import type { IWidget } from 'aws-cdk-lib/aws-cloudwatch';
import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';
import type { Fargate } from '../../config/fargate.ts';
import { costRow } from '../cost/costWidgets.ts';
import { sheetFor } from '../cost/sheetFor.ts';
import { addDashboard, graph } from '../observability/namedDashboard.ts';
import { tableThrottles } from '../observed.ts';
import type { ServiceMetrics } from '../serviceMetrics.ts';
import { fargateCost, fargateStanding } from './fargateCost.ts';

/** What the dashboard is about. */
interface FargateDashboardProps {
  readonly deployment: string;
  readonly fargate: Fargate;
  readonly metrics: ServiceMetrics;
  readonly flags: ITableV2;
  /** Zones of the balancer, and alarms that are set: both cost by the month. */
  readonly zones: number;
  readonly alarms: number;
}

/** The dashboard of the hosts on Fargate: connections, tasks, processor and memory, what the balancer refused, and what it costs. */
export class FargateDashboard extends Construct {
  /** Where to see it, once signed in. */
  readonly url: string;

  constructor(
    scope: Construct,
    id: string,
    { deployment, fargate, metrics, flags, zones, alarms }: FargateDashboardProps,
  ) {
    super(scope, id);
    const both = (name: 'CPUUtilization' | 'MemoryUtilization') =>
      (['Average', 'Maximum'] as const).map((statistic) =>
        metrics.service(name, statistic).with({ label: `${name}, ${statistic.toLowerCase()}` }),
      );
    const hourly = fargateCost(this, fargate, metrics.dimensions);
    const standing = fargateStanding(this, zones, alarms);
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
      costRow(`${sheetFor(this).name}, arm64 on demand`, { id: 'c', hourly, standing }),
    ];
    this.url = addDashboard(this, `${deployment}-Fargate`, 3, widgets);
  }
}
