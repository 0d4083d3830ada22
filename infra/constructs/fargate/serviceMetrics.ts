import { type IMetric, MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { FargateService } from 'aws-cdk-lib/aws-ecs';
import { Duration } from 'aws-cdk-lib/core';
import type { HostBalancer } from './hostBalancer.ts';

/** CloudWatch's names of load balancer and service, for the dimensions of their metrics. */
export interface ServiceDimensions {
  readonly balancer: Readonly<Record<string, string>>;
  readonly targets: Readonly<Record<string, string>>;
  readonly service: Readonly<Record<string, string>>;
}

/** The dimensions of a service and its load balancer. */
export function dimensionsOf({ balancer, targets }: HostBalancer, service: FargateService): ServiceDimensions {
  const LoadBalancer = balancer.loadBalancerFullName;
  return {
    balancer: { LoadBalancer },
    targets: { LoadBalancer, TargetGroup: targets.targetGroupFullName },
    service: { ClusterName: service.cluster.clusterName, ServiceName: service.serviceName },
  };
}

/** The metrics of tasks and load balancer, free of charge, each minute. */
export class ServiceMetrics {
  readonly dimensions: ServiceDimensions;
  readonly #period: Duration;

  constructor(dimensions: ServiceDimensions, period = Duration.minutes(1)) {
    this.dimensions = dimensions;
    this.#period = period;
  }

  /** Percent of the tasks' resources. Source: ECS's guide, "service utilization metrics". */
  service(metricName: 'CPUUtilization' | 'MemoryUtilization', statistic: 'Average' | 'Maximum'): Metric {
    return this.#metric('AWS/ECS', metricName, statistic, this.dimensions.service);
  }

  /** Source: the guide to network load balancers, "CloudWatch metrics". */
  balancer(metricName: string, statistic: 'Average' | 'Sum'): Metric {
    return this.#metric('AWS/NetworkELB', metricName, statistic, this.dimensions.balancer);
  }

  /** Number of tasks by readiness. */
  targets(metricName: 'HealthyHostCount' | 'UnHealthyHostCount', statistic: 'Minimum' | 'Maximum'): Metric {
    return this.#metric('AWS/NetworkELB', metricName, statistic, this.dimensions.targets);
  }

  /** Average of connections per task. */
  connectionsATask(): MathExpression {
    const usingMetrics: Record<string, IMetric> = {
      connections: this.balancer('ActiveFlowCount', 'Average'),
      tasks: this.targets('HealthyHostCount', 'Maximum'),
    };
    return new MathExpression({
      expression: 'connections / tasks',
      usingMetrics,
      label: 'connections a task',
      period: this.#period,
    });
  }

  #metric(namespace: string, metricName: string, statistic: string, dimensionsMap: Readonly<Record<string, string>>) {
    return new Metric({ namespace, metricName, dimensionsMap: { ...dimensionsMap }, statistic, period: this.#period });
  }
}
