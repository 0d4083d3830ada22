import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import { addDashboard, graph } from '../namedDashboard.ts';
import { tableThrottles } from '../observed.ts';
import type { ServiceMetrics } from './serviceMetrics.ts';

/** Metrics of the load balancer for refused connections. */
const REFUSALS = [
  'PortAllocationErrorCount',
  'TCP_ELB_Reset_Count',
  'TCP_Target_Reset_Count',
  'ClientTLSNegotiationErrorCount',
];

/** Adds a dashboard with connections, ready tasks, their resources, and refusals of the load balancer. @returns its URL */
export function addFargateDashboard(scope: Construct, name: string, metrics: ServiceMetrics, flags: ITableV2): string {
  const ready = (['HealthyHostCount', 'UnHealthyHostCount'] as const).map(metrics.targets);
  const percent = (metric: 'CPUUtilization' | 'MemoryUtilization') =>
    (['Average', 'Maximum'] as const).map((statistic) =>
      metrics.service(metric, statistic).with({ label: `${metric}, ${statistic.toLowerCase()}` }),
    );
  return addDashboard(scope, 'Observability', name, 3, [
    [
      graph('Connections', [metrics.balancer('ActiveFlowCount', 'Average')], [metrics.connectionsATask()]),
      graph('New connections a minute', [metrics.balancer('NewFlowCount', 'Sum')]),
      graph('Tasks', ready),
    ],
    [
      graph('Processor (%)', percent('CPUUtilization')),
      graph('Memory (%)', percent('MemoryUtilization')),
      graph('Bytes through the balancer', [metrics.balancer('ProcessedBytes', 'Sum')]),
    ],
    [
      graph(
        'Refused and broken off',
        REFUSALS.map((each) => metrics.balancer(each, 'Sum')),
      ),
      graph('Throttled reads of the flags table', [tableThrottles(flags, 'Read')]),
    ],
  ]);
}
