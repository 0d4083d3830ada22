import type { IVpc } from 'aws-cdk-lib/aws-ec2';
import { Construct } from 'constructs';
import { FARGATE_ALARMS, SCALING_ALARMS } from '../../../cost/prices/serviceFacts.ts';
import { deploymentName } from '../../config/deploymentName.ts';
import type { Fargate } from '../../config/fargate.ts';
import type { Design } from '../cost/costDashboard.ts';
import type { HostResources } from '../host/hostGrants.ts';
import { HOST_PORT } from '../host/hostInstall.ts';
import { alarmOn } from '../observability/concern.ts';
import { type Outputs, urlOutputs } from '../outputs.ts';
import { addLogGroup } from '../retention.ts';
import { fargateConcerns } from './fargateAlarms.ts';
import { fargateDesign } from './fargateCost.ts';
import { addFargateDashboard } from './fargateDashboard.ts';
import { HostBalancer, listenerPort } from './hostBalancer.ts';
import { addScaling } from './hostScaling.ts';
import { addService } from './hostService.ts';
import { addTask } from './hostTask.ts';
import { TaskNetwork } from './network.ts';
import { dimensionsOf, ServiceMetrics } from './serviceMetrics.ts';

/** The same service as tasks on Fargate behind a network load balancer, with the same flags. It is billed by the hour. */
export class FargateHosts extends Construct {
  /** Cost of the design, for the cost dashboard. */
  readonly design: Design;
  readonly outputs: Outputs;

  /** @param vpc the network, instead of a new one or `fargate.network` */
  constructor(scope: Construct, id: string, fargate: Fargate, served: HostResources, vpc?: IVpc) {
    super(scope, id);
    const { config, flags } = served;
    const { tls } = fargate;
    const ports = { balancer: listenerPort(tls), task: HOST_PORT };
    const network = new TaskNetwork(this, 'Network', fargate, ports, vpc);
    const balancer = new HostBalancer(this, 'Entry', network, tls, HOST_PORT, fargate.balancer === 'internal');
    const logGroup = addLogGroup(this, config);
    const definition = addTask(this, { ...served, fargate, logGroup, port: HOST_PORT });
    const service = addService(this, fargate, definition, network, balancer);
    const dimensions = dimensionsOf(balancer, service);
    addScaling(this, fargate, dimensions);

    const metrics = new ServiceMetrics(dimensions);
    alarmOn(new Construct(this, 'Alarms'), config, config.alarms ? fargateConcerns(fargate, metrics) : []);
    const dashboardUrl = addFargateDashboard(this, `${deploymentName(config)}-Fargate`, metrics, flags);
    this.design = fargateDesign(this, {
      fargate,
      metrics,
      addresses: fargate.balancer === 'public' ? network.balancerSubnets.length : 0,
      alarms: (config.alarms ? FARGATE_ALARMS : 0) + SCALING_ALARMS,
    });

    const { ClusterName, ServiceName } = dimensions.service;
    this.outputs = {
      ...urlOutputs(`${tls ? 'wss' : 'ws'}://${balancer.host}`, `${tls ? 'https' : 'http'}://${balancer.host}`),
      EcsService: { value: `${ClusterName}/${ServiceName}`, description: 'Cluster and service of the tasks' },
      ...balancer.outputs,
      DashboardUrl: { value: dashboardUrl, description: 'Connections, tasks, processor, memory' },
    };
  }
}
