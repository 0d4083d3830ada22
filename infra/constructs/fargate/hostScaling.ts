import { CfnScalableTarget, CfnScalingPolicy } from 'aws-cdk-lib/aws-applicationautoscaling';
import { Construct } from 'constructs';
import type { Fargate } from '../../config/fargate.ts';
import type { ServiceDimensions } from '../serviceMetrics.ts';

/** Percent of a task's processor that is still right. */
export const CPU_PERCENT = 80;

/** Seconds between one step up and the next, in which a task gets ready. */
const OUT_SECONDS = 60;
/** Seconds between one step down and the next: longer than a drain, and than those whose connections it closed take to be back. */
const IN_SECONDS = 600;

/**
 * How many tasks there are: as many as hold the processor below 80 % and connections below their number a task, whichever takes more.
 * Fewer only once both agree that fewer would do, which AWS looks at over a quarter of an hour.
 */
export class HostScaling extends Construct {
  constructor(scope: Construct, id: string, fargate: Fargate, dimensions: ServiceDimensions) {
    super(scope, id);
    const { ClusterName, ServiceName } = dimensions.service;
    const target = new CfnScalableTarget(this, 'Target', {
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
      new CfnScalingPolicy(this, name, {
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
}

/** `ServiceMetrics.connectionsATask` in the words of scaling policies, which CDK's own construct does not have. */
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
