import { MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { FargateService } from 'aws-cdk-lib/aws-ecs';
import { Duration } from 'aws-cdk-lib/core';
import type { HostBalancer } from './hostBalancer.ts';

/** The metrics of tasks and load balancer. */
export type ServiceMetrics = ReturnType<typeof serviceMetrics>;

/** CloudWatch's names of load balancer and service, for the dimensions of their metrics. */
export type ServiceDimensions = ServiceMetrics['dimensions'];

/** The metrics of a service and its load balancer, free of charge, each minute. */
export function serviceMetrics({ balancer, targets }: HostBalancer, { cluster, serviceName }: FargateService) {
  const LoadBalancer = balancer.loadBalancerFullName;
  const dimensions = {
    balancer: { LoadBalancer },
    targets: { LoadBalancer, TargetGroup: targets.targetGroupFullName },
    service: { ClusterName: cluster.clusterName, ServiceName: serviceName },
  };
  const period = Duration.minutes(1);
  const metric = (namespace: string, metricName: string, statistic: string, dimensionsMap: Record<string, string>) =>
    new Metric({ namespace, metricName, dimensionsMap, statistic, period });
  const ofBalancer = (metricName: string, statistic: 'Average' | 'Sum') =>
    metric('AWS/NetworkELB', metricName, statistic, dimensions.balancer);
  /** Number of tasks by readiness. */
  const ofTargets = (metricName: 'HealthyHostCount' | 'UnHealthyHostCount') =>
    metric('AWS/NetworkELB', metricName, 'Maximum', dimensions.targets);
  return {
    dimensions,
    /** Percent of the tasks' resources. Source: ECS's guide, "service utilization metrics". */
    service: (metricName: 'CPUUtilization' | 'MemoryUtilization', statistic: 'Average' | 'Maximum') =>
      metric('AWS/ECS', metricName, statistic, dimensions.service),
    /** Source: the guide to network load balancers, "CloudWatch metrics". */
    balancer: ofBalancer,
    targets: ofTargets,
    /** Average of connections per task. */
    connectionsATask: () =>
      new MathExpression({
        expression: 'connections / tasks',
        usingMetrics: { connections: ofBalancer('ActiveFlowCount', 'Average'), tasks: ofTargets('HealthyHostCount') },
        label: 'connections a task',
        period,
      }),
  };
}
