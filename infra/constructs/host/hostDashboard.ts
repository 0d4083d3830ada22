import { GraphWidget, type IMetric, type IWidget, MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { Duration } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import { addDashboard } from '../namedDashboard.ts';
import { period as observedPeriod } from '../observed.ts';
import { AGENT_NAMESPACE, ofHostProcess } from './agentMetrics.ts';

/** Adds the dashboard of the host's machine: processor and its credits, memory, sockets, network. @returns its URL */
export function addHostDashboard(
  scope: Construct,
  deployment: string,
  InstanceId: string,
  metricsSeconds: number,
): string {
  const period = Duration.seconds(Math.max(1, metricsSeconds));
  const agent = (metricName: string, dimensions = {}, statistic = 'Average') =>
    new Metric({
      namespace: AGENT_NAMESPACE,
      metricName,
      dimensionsMap: { InstanceId, ...dimensions },
      period,
      statistic,
    });
  // EC2 reports the credits of a machine every five minutes.
  const ec2 = (metricName: string, statistic: string) =>
    new Metric({ namespace: 'AWS/EC2', metricName, dimensionsMap: { InstanceId }, period: observedPeriod, statistic });
  const ofProcess = (measured: string) =>
    new MathExpression({
      expression: ofHostProcess(measured, InstanceId, period.toSeconds()),
      label: `procstat_${measured}`,
      period,
    });
  const widgets: IWidget[][] = [
    [
      graph('Processor (%)', [
        agent('cpu_usage_active', { cpu: 'cpu-total' }, 'Maximum'),
        agent('cpu_usage_steal', { cpu: 'cpu-total' }, 'Maximum'),
        ofProcess('cpu_usage'),
      ]),
      // A machine without credits runs at a tenth of its processor. The metric shows only that part.
      graph('Processor credits', [
        ec2('CPUCreditBalance', 'Minimum'),
        ec2('CPUCreditUsage', 'Sum'),
        ec2('CPUSurplusCreditsCharged', 'Sum'),
      ]),
    ],
    [
      graph('Memory', [agent('mem_used_percent', {}, 'Maximum')]),
      graph('Memory of the host (bytes)', [ofProcess('memory_rss')]),
    ],
    [
      graph('Connections', [agent('netstat_tcp_established', {}, 'Maximum'), ofProcess('num_fds')]),
      graph('Network (bytes)', [ec2('NetworkIn', 'Sum'), ec2('NetworkOut', 'Sum')]),
    ],
  ];
  return addDashboard(scope, 'Observability', `${deployment}-Host`, 1, widgets);
}

function graph(title: string, left: IMetric[]): GraphWidget {
  return new GraphWidget({ title, left, width: 12 });
}
