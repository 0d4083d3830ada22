import { CfnScalableTarget, CfnScalingPolicy } from 'aws-cdk-lib/aws-applicationautoscaling';
import { Construct } from 'constructs';
import type { Fargate } from '../../config/fargate.ts';
import type { ServiceDimensions } from './serviceMetrics.ts';

/** Target for a task's processor, in percent. */
export const CPU_PERCENT = 80;

/** Seconds between two steps up. A task starts in this time. */
const OUT_SECONDS = 60;
/** Seconds between two steps down: longer than a drain and the reconnection of its clients. */
const IN_SECONDS = 600;

/**
 * Scales the number of tasks: as many as keep the processor below 80 % and connections below their maximum per task. It decreases only if both
 * metrics allow it, which AWS checks over a quarter of an hour.
 */
export function addScaling(parent: Construct, fargate: Fargate, dimensions: ServiceDimensions): void {
  const scope = new Construct(parent, 'Scaling');
  const { ClusterName, ServiceName } = dimensions.service;
  const target = new CfnScalableTarget(scope, 'Target', {
    serviceNamespace: 'ecs',
    scalableDimension: 'ecs:service:DesiredCount',
    resourceId: `service/${ClusterName}/${ServiceName}`,
    minCapacity: fargate.count,
    maxCapacity: fargate.maximum,
  });
  const follow = (
    name: string,
    policy: Partial<CfnScalingPolicy.TargetTrackingScalingPolicyConfigurationProperty>,
    targetValue: number,
  ) =>
    new CfnScalingPolicy(scope, name, {
      policyName: name,
      policyType: 'TargetTrackingScaling',
      scalingTargetId: target.ref,
      targetTrackingScalingPolicyConfiguration: {
        ...policy,
        targetValue,
        scaleOutCooldown: OUT_SECONDS,
        scaleInCooldown: IN_SECONDS,
      },
    });
  const predefinedMetricType = 'ECSServiceAverageCPUUtilization';
  follow('Processor', { predefinedMetricSpecification: { predefinedMetricType } }, CPU_PERCENT);
  follow('Connections', { customizedMetricSpecification: connectionsATask(dimensions) }, fargate.connections);
}

/** `ServiceMetrics.connectionsATask` in the format of scaling policies, which CDK's own construct lacks. */
function connectionsATask({
  balancer,
  targets,
}: ServiceDimensions): CfnScalingPolicy.CustomizedMetricSpecificationProperty {
  const read = (id: string, metricName: string, stat: string, dimensions: Readonly<Record<string, string>>) => ({
    id,
    returnData: false,
    metricStat: {
      stat,
      metric: {
        namespace: 'AWS/NetworkELB',
        metricName,
        dimensions: Object.entries(dimensions).map(([name, value]) => ({ name, value })),
      },
    },
  });
  return {
    metrics: [
      read('connections', 'ActiveFlowCount', 'Average', balancer),
      read('tasks', 'HealthyHostCount', 'Maximum', targets),
      { id: 'each', expression: 'connections / tasks', label: 'connections a task', returnData: true },
    ],
  };
}
