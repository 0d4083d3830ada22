import type { IVpc } from 'aws-cdk-lib/aws-ec2';
import { Construct } from 'constructs';
import { FARGATE_ALARMS, SCALING_ALARMS } from '../../../cost/prices/serviceFacts.ts';
import { deploymentName } from '../../config/deploymentName.ts';
import type { Fargate } from '../../config/fargate.ts';
import type { HostResources } from '../host/hostGrants.ts';
import { alarmOn } from '../observability/concern.ts';
import { urlOutputs } from '../outputs.ts';
import { addLogGroup } from '../retention.ts';
import { fargateConcerns } from './fargateAlarms.ts';
import { fargateDesign } from './fargateCost.ts';
import { addFargateDashboard } from './fargateDashboard.ts';
import { addBalancer, listenerPort } from './hostBalancer.ts';
import { addScaling } from './hostScaling.ts';
import { addService } from './hostService.ts';
import { addTask } from './hostTask.ts';
import { addTaskNetwork } from './network.ts';
import { serviceMetrics } from './serviceMetrics.ts';

/**
 * Adds the same service as tasks on Fargate behind a network load balancer, with the same flags. It is billed by the hour.
 *
 * @param vpc the network, instead of a new one or `fargate.network`
 */
export function addFargateHosts(parent: Construct, fargate: Fargate, served: HostResources, vpc?: IVpc) {
  const scope = new Construct(parent, 'Default');
  const { config, flags } = served;
  const { tls } = fargate;
  const network = addTaskNetwork(scope, fargate, listenerPort(tls), vpc);
  const isInternal = fargate.balancer === 'internal';
  const balancer = addBalancer(scope, network, tls, isInternal);
  const logGroup = addLogGroup(scope, config);
  const definition = addTask(scope, { ...served, fargate, logGroup });
  const service = addService(scope, fargate, definition, network, balancer);
  const metrics = serviceMetrics(balancer, service);
  addScaling(scope, fargate, metrics.dimensions);

  alarmOn(new Construct(scope, 'Alarms'), config, config.alarms ? fargateConcerns(fargate, metrics) : []);
  const dashboardUrl = addFargateDashboard(scope, `${deploymentName(config)}-Fargate`, metrics, flags);
  const addresses = isInternal ? 0 : network.balancerSubnets.length;
  const alarms = (config.alarms ? FARGATE_ALARMS : 0) + SCALING_ALARMS;
  const design = fargateDesign(scope, fargate, metrics, addresses, alarms);

  const { ClusterName, ServiceName } = metrics.dimensions.service;
  const outputs = {
    ...urlOutputs(`${tls ? 'wss' : 'ws'}://${balancer.host}`, `${tls ? 'https' : 'http'}://${balancer.host}`),
    EcsService: { value: `${ClusterName}/${ServiceName}`, description: 'Cluster and service of the tasks' },
    ...balancer.outputs,
    DashboardUrl: { value: dashboardUrl, description: 'Connections, tasks, processor, memory' },
  };
  return { design, outputs };
}
