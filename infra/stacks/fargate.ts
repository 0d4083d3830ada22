import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { Config } from '../config/config.ts';
import { deploymentName } from '../config/deploymentName.ts';
import type { Fargate } from '../config/fargate.ts';
import type { Design } from '../constructs/cost/costDashboard.ts';
import { fargateDesign } from '../constructs/cost/hostCost.ts';
import { fargateConcerns } from '../constructs/fargate/fargateAlarms.ts';
import { FargateDashboard } from '../constructs/fargate/fargateDashboard.ts';
import { HostScaling } from '../constructs/fargate/hostScaling.ts';
import { HostService } from '../constructs/fargate/hostService.ts';
import { HostTask } from '../constructs/fargate/hostTask.ts';
import { TaskNetwork } from '../constructs/fargate/network.ts';
import { HOST_PORT } from '../constructs/host/hostInstall.ts';
import { HostBalancer, listenerPort } from '../constructs/hostBalancer.ts';
import { alarmOn } from '../constructs/observability/concern.ts';
import { retentionOf } from '../constructs/retention.ts';
import { dimensionsOf, ServiceMetrics } from '../constructs/serviceMetrics.ts';
import type { DataStack } from './data.ts';
import type { ServerlessStack } from './serverless.ts';

/** The same service as tasks on Fargate behind a network load balancer, on the same flags. It costs by the hour. */
export class FargateStack extends Stack {
  /** What the cost dashboard compares. */
  readonly design: Design;

  constructor(
    scope: Construct,
    id: string,
    config: Config,
    fargate: Fargate,
    { data: { flags }, serverless }: { readonly data: DataStack; readonly serverless: ServerlessStack },
    props: StackProps,
  ) {
    super(scope, id, props);
    const { tls } = fargate;
    const ports = { balancer: listenerPort(tls), task: HOST_PORT };
    const network = new TaskNetwork(this, 'Network', fargate, ports);
    const balancer = new HostBalancer(this, 'Entry', network, tls, HOST_PORT, {
      isInternal: fargate.balancer === 'internal',
    });
    const logGroup = new LogGroup(this, 'Logs', {
      retention: config.logRetentionDays,
      removalPolicy: retentionOf(config).removalPolicy,
    });
    const { definition } = new HostTask(this, 'Task', {
      config,
      fargate,
      flags,
      insightStream: serverless.observed.insightStream,
      logGroup,
      port: HOST_PORT,
    });
    const service = new HostService(this, 'Hosts', { fargate, definition, network, balancer });
    const dimensions = dimensionsOf(balancer, service);
    new HostScaling(this, 'Scaling', fargate, dimensions);

    const metrics = new ServiceMetrics(dimensions);
    const concerns = config.alarms ? fargateConcerns(fargate, metrics) : [];
    alarmOn(new Construct(this, 'Alarms'), config, concerns);
    const dashboard = new FargateDashboard(this, 'Observability', {
      deployment: deploymentName(config),
      metrics,
      flags,
    });
    this.design = fargateDesign(this, {
      fargate,
      metrics,
      addresses: fargate.balancer === 'public' ? network.balancerSubnets.length : 0,
      alarms: concerns.length,
    });

    const out = (name: string, value: string, description: string) => new CfnOutput(this, name, { value, description });
    const [webSocket, http] = tls ? ['wss', 'https'] : ['ws', 'http'];
    out('StreamingUri', `${webSocket}://${balancer.host}`, "An SDK's streaming URL");
    out('PollingUri', `${http}://${balancer.host}`, "An SDK's polling URL");
    out('EventsUri', `${http}://${balancer.host}`, "An SDK's events URL");
    const { ClusterName, ServiceName } = dimensions.service;
    out('EcsService', `${ClusterName}/${ServiceName}`, 'Cluster and service of the tasks');
    if (tls) {
      const { loadBalancerDnsName } = balancer.balancer;
      out('BalancerTarget', loadBalancerDnsName, `What ${tls.domainName} has to point to (CNAME)`);
    }
    out('DashboardUrl', dashboard.url, 'Connections, tasks, processor, memory');
  }
}
