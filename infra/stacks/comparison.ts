import { CpuCredits, InstanceType } from 'aws-cdk-lib/aws-ec2';
import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import type { Config } from '../config/config.ts';
import { deploymentName } from '../config/deploymentName.ts';
import type { Host } from '../config/host.ts';
import { GeneratorMachine } from '../constructs/comparison/generatorMachine.ts';
import { HostDashboard } from '../constructs/comparison/hostDashboard.ts';
import { HOST_PORT, HostMachine } from '../constructs/comparison/hostMachine.ts';
import { ComparisonNetwork } from '../constructs/comparison/network.ts';
import { PRICED_HOST } from '../constructs/cost/hostCost.ts';
import type { DataStack } from './data.ts';
import type { ServerlessStack } from './serverless.ts';

/** The same service on one small machine, to be measured as FeatBit measured its server. It costs by the hour. */
export class ComparisonStack extends Stack {
  constructor(
    scope: Construct,
    id: string,
    config: Config,
    { instanceType, credits, metricsSeconds, availabilityZone, machineImage, loadGenerator }: Host,
    { data: { flags }, serverless }: { readonly data: DataStack; readonly serverless: ServerlessStack },
    props: StackProps,
  ) {
    super(scope, id, props);
    const network = new ComparisonNetwork(this, 'Network', HOST_PORT, availabilityZone);
    const host = new HostMachine(this, 'Host', {
      config,
      flags,
      network,
      instanceType: new InstanceType(instanceType),
      image: machineImage,
      // Types of other families refuse the setting.
      ...(instanceType.startsWith('t')
        ? { credits: credits === 'standard' ? CpuCredits.STANDARD : CpuCredits.UNLIMITED }
        : {}),
      metricsSeconds,
    });
    const { instance } = host.machine;
    const dashboard = new HostDashboard(this, 'Observability', host, {
      deployment: deploymentName(config),
      metricsSeconds,
      ...(instanceType === PRICED_HOST ? { besides: serverless.observed } : {}),
    });
    const http = `http://${instance.instancePrivateIp}:${HOST_PORT}`;
    const out = (name: string, value: string, description: string) => new CfnOutput(this, name, { value, description });
    out(
      'StreamingUri',
      `ws://${instance.instancePrivateIp}:${HOST_PORT}`,
      "An SDK's streaming URL, within the network",
    );
    out('PollingUri', http, "An SDK's polling URL, within the network");
    out('EventsUri', http, "An SDK's events URL, within the network");
    out('HostSession', `aws ssm start-session --target ${instance.instanceId}`, 'A shell on the host');
    out('DashboardUrl', dashboard.url, 'Processor, credits, memory, sockets');
    if (loadGenerator) {
      const generator = new GeneratorMachine(this, 'LoadGenerator', {
        network,
        instanceType: new InstanceType(loadGenerator.instanceType),
        image: machineImage,
      });
      const { instanceId } = generator.machine.instance;
      out('LoadGeneratorSession', `aws ssm start-session --target ${instanceId}`, 'A shell where load comes from');
    }
  }
}
