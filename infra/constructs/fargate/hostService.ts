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
import type { HostBalancer } from './hostBalancer.ts';
import type { TaskNetwork } from './network.ts';

/**
 * Adds the tasks as a service. A deployment starts new tasks next to the old ones, and stops those when the new ones are ready. If they do not
 * become ready, it is rolled back. {@link addScaling} sets the number of tasks: a number here would be set again by each deployment.
 */
export function addService(
  parent: Construct,
  fargate: Fargate,
  definition: FargateTaskDefinition,
  network: TaskNetwork,
  balancer: HostBalancer,
): FargateService {
  const scope = new Construct(parent, 'Hosts');
  const cluster = new Cluster(scope, 'Cluster', {
    vpc: network.vpc,
    enableFargateCapacityProviders: true,
    containerInsightsV2: ContainerInsights.DISABLED,
  });
  acknowledge(
    cluster,
    'AwsSolutions-ECS4',
    'Container Insights costs by the task; processor and memory of the service are measured without it.',
  );
  const service = new FargateService(scope, 'Service', {
    // CDK types the two differently under exactOptionalPropertyTypes.
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
    // To download the program and read the environments.
    healthCheckGracePeriod: Duration.minutes(2),
    // Tasks are billed by their own tags.
    propagateTags: PropagatedTagSource.SERVICE,
  });
  service.attachToNetworkTargetGroup(balancer.targets);
  // ECS refuses a target group without a listener, and a capacity provider that the cluster does not have.
  service.node.addDependency(balancer.balancer, cluster);
  return service;
}

function strategiesOf(spotPercent: number) {
  const weights = { FARGATE: 100 - spotPercent, FARGATE_SPOT: spotPercent };
  return Object.entries(weights)
    .filter(([, weight]) => weight > 0)
    .map(([capacityProvider, weight]) => ({ capacityProvider, weight }));
}
