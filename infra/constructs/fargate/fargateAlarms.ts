import { MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import { Duration } from 'aws-cdk-lib/core';
import type { Fargate } from '../../config/fargate.ts';
import type { Concern } from '../observability/concern.ts';
import { CPU_PERCENT } from './hostScaling.ts';
import type { ServiceMetrics } from './serviceMetrics.ts';

/** Percent of a task's memory above which the task may be killed. */
const MEMORY_PERCENT = 85;
/** Factor above its target at which scaling has failed to lower a value. */
const ABOVE_TARGET = 1.1;

/** Alarms on tasks and load balancer. */
export function fargateConcerns({ count, maximum, connections }: Fargate, metrics: ServiceMetrics): Concern[] {
  return [
    {
      name: 'tasks-missing',
      metric: new MathExpression({
        expression: `${count} - FILL(tasks, 0)`,
        usingMetrics: { tasks: metrics.targets('HealthyHostCount') },
        label: 'tasks that are missing',
        period: Duration.minutes(1),
      }),
      limit: 0,
      // A load balancer reports HealthyHostCount only while targets are registered.
      missingData: 'breaching',
      periods: 5,
      meaning: `For five minutes, fewer than ${count} tasks were ready. Look at the events of the service, the account's vCPUs on Fargate, the image, and the logs of the fetch container and the host.`,
    },
    {
      name: 'tasks-not-ready',
      metric: metrics.targets('UnHealthyHostCount'),
      limit: 0,
      periods: 10,
      meaning:
        'For ten minutes, a task was not ready. Look in the log of the host for what it cannot read, and at throttles of the flags table.',
    },
    {
      name: 'tasks-processor',
      metric: metrics.service('CPUUtilization', 'Average'),
      limit: CPU_PERCENT * ABOVE_TARGET,
      periods: 15,
      meaning: `For a quarter of an hour, tasks used more of their processor than the target of scaling. Raise fargate.maximum if ${maximum} tasks run.`,
    },
    {
      name: 'tasks-connections',
      metric: metrics.connectionsATask(),
      limit: connections * ABOVE_TARGET,
      periods: 15,
      meaning: `For a quarter of an hour, tasks had more connections each than the target of scaling. Raise fargate.maximum if ${maximum} tasks run.`,
    },
    {
      name: 'tasks-memory',
      metric: metrics.service('MemoryUtilization', 'Maximum'),
      limit: MEMORY_PERCENT,
      periods: 5,
      meaning: `For five minutes, a task used more than ${MEMORY_PERCENT} % of its memory. A task without free memory is ended, and its clients reconnect to others. Raise fargate.memoryGb, or lower fargate.connections.`,
    },
    {
      name: 'balancer-ports',
      metric: metrics.balancer('PortAllocationErrorCount', 'Sum'),
      limit: 0,
      meaning:
        'The load balancer refused connections, because it has about 55,000 ports for each task. Lower fargate.connections, or raise fargate.count before a peak.',
    },
  ];
}
