import {
  AvailabilityZoneRebalancing,
  Cluster,
  ContainerInsights,
  FargateService,
  type FargateTaskDefinition,
  type ICluster,
  PropagatedTagSource,
} from 'aws-cdk-lib/aws-ecs';
import { Duration } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { Fargate } from '../../config/fargate.ts';
import { acknowledge } from '../acknowledge.ts';
import type { HostBalancer } from '../hostBalancer.ts';
import type { TaskNetwork } from './network.ts';

/** What the service is made of. */
interface HostServiceProps {
  readonly fargate: Fargate;
  readonly definition: FargateTaskDefinition;
  readonly network: TaskNetwork;
  readonly balancer: HostBalancer;
}

/**
 * The tasks as a service. A deployment starts new tasks next to the old ones, which go once the new ones are ready, and is taken
 * back where they do not get so far. How many there are is left to {@link HostScaling}: a number here would be set anew by each deployment.
 */
export class HostService extends Construct {
  readonly service: FargateService;

  constructor(scope: Construct, id: string, { fargate, definition, network, balancer }: HostServiceProps) {
    super(scope, id);
    const cluster = new Cluster(this, 'Cluster', {
      vpc: network.vpc,
      enableFargateCapacityProviders: true,
      containerInsightsV2: ContainerInsights.DISABLED,
    });
    acknowledge(
      cluster,
      'AwsSolutions-ECS4',
      'Container Insights costs by the task; processor and memory of the service are measured without it.',
    );
    this.service = new FargateService(this, 'Service', {
      // CDK declares the two apart under exactOptionalPropertyTypes.
      cluster: cluster as ICluster,
      taskDefinition: definition,
      capacityProviderStrategies: strategiesOf(fargate.spotPercent),
      vpcSubnets: { subnets: network.taskSubnets },
      assignPublicIp: network.hasPublicTasks,
      securityGroups: [network.tasks],
      minHealthyPercent: 100,
      maxHealthyPercent: 200,
      availabilityZoneRebalancing: AvailabilityZoneRebalancing.ENABLED,
      circuitBreaker: { enable: true, rollback: true },
      // To fetch the program and read the environments.
      healthCheckGracePeriod: Duration.minutes(2),
      // Bills of tasks are by their own tags.
      propagateTags: PropagatedTagSource.SERVICE,
    });
    this.service.attachToNetworkTargetGroup(balancer.targets);
    // ECS refuses a target group that no listener leads to yet, and a kind of capacity that the cluster does not have yet, or no more.
    this.service.node.addDependency(balancer.balancer, cluster);
  }
}

function strategiesOf(spotPercent: number) {
  const weights = { FARGATE: 100 - spotPercent, FARGATE_SPOT: spotPercent };
  return Object.entries(weights)
    .filter(([, weight]) => weight > 0)
    .map(([capacityProvider, weight]) => ({ capacityProvider, weight }));
}
