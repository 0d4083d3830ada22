import { VpcOrigin as Origin } from 'aws-cdk-lib/aws-cloudfront-origins';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { type Instance, InstanceType, type IVpc } from 'aws-cdk-lib/aws-ec2';
import { Construct } from 'constructs';
import { DOOR_ALARMS } from '../../../cost/prices/serviceFacts.ts';
import { omitUndefined } from '../../../shared/runtime/omitUndefined.ts';
import { deploymentName } from '../../config/deploymentName.ts';
import type { Host, HostTls } from '../../config/host.ts';
import { singleHostDesign } from '../cost/hostCost.ts';
import { addDistribution, passOnTo } from '../domain/distribution.ts';
import { period } from '../observed.ts';
import { type Outputs, urlOutputs } from '../outputs.ts';
import { AGENT_NAMESPACE } from './agentMetrics.ts';
import { addDoorTier } from './doorTier.ts';
import { addFrontDoor } from './frontDoor.ts';
import { addGenerator } from './generatorMachine.ts';
import { addHostDashboard } from './hostDashboard.ts';
import { HOST_PORT } from './hostEnvironment.ts';
import type { HostResources } from './hostGrants.ts';
import { addInstall } from './hostInstall.ts';
import { addHostMachine } from './hostMachine.ts';
import { addHostNetwork } from './hostNetwork.ts';
import { addHostOrigin } from './hostOrigin.ts';
import { admitOrigin } from './originAccess.ts';

/**
 * Adds the same service on one machine, like FeatBit's benchmark. It is billed by the hour.
 *
 * @param vpc the network, instead of a new one
 * @returns the outputs, and the cost. That is undefined if the price sheet lacks the instance type
 */
export function addMachineHosts(parent: Construct, host: Host, served: HostResources, vpc?: IVpc) {
  const scope = new Construct(parent, 'Default');
  const { tls, availabilityZone: zone, allowedCidrs, loadGenerator } = host;
  const { config } = served;
  const { frontDoor } = config;
  const isPublic = host.network === 'public' && tls === undefined;
  const network = addHostNetwork(scope, {
    entry: frontDoor || tls ? 'cloudfront' : isPublic ? 'internet' : 'network',
    ...omitUndefined({ zone, allowedCidrs, vpc }),
  });
  const install = addInstall(scope, host, served);
  const { instance, address } = addHostMachine(scope, host, network, install, isPublic);
  const { instanceId: InstanceId } = instance;
  const outputs: Record<string, Outputs[string]> = {};
  const out = (name: string, value: string, description: string) => {
    outputs[name] = { value, description };
  };
  const named = frontDoor ?? tls;
  if (named) {
    const { domainName } = named;
    const door = frontDoor && addFrontDoor(scope, instance, frontDoor, served.apiUris);
    const { origin, distribution } = door ?? addEdge(scope, instance, named);
    admitOrigin(scope, config, network, origin, distribution);
    out('DomainTarget', distribution.distributionDomainName, `What ${domainName} has to point to (CNAME)`);
    Object.assign(outputs, urlOutputs(`wss://${domainName}`, `https://${domainName}`));
    if (door) addDoorTier(scope, served, instance, door.hints);
  } else {
    const place = `${address ?? instance.instancePrivateIp}:${HOST_PORT}`;
    Object.assign(outputs, urlOutputs(`ws://${place}`, `http://${place}`));
  }
  const dashboardUrl = addHostDashboard(scope, deploymentName(config), InstanceId, host.metricsSeconds);
  out('HostId', InstanceId, 'The machine of the host');
  out('HostSession', `aws ssm start-session --target ${InstanceId}`, 'A shell on the host');
  out('DashboardUrl', dashboardUrl, 'Processor, credits, memory, sockets');
  if (loadGenerator) {
    const type = new InstanceType(loadGenerator.instanceType);
    const instanceId = addGenerator(scope, network, type, host.machineImage);
    out('LoadGeneratorId', instanceId, 'The machine where load comes from');
    out('LoadGeneratorSession', `aws ssm start-session --target ${instanceId}`, 'A shell where load comes from');
  }
  // From the agent's reports.
  const connections = new Metric({
    namespace: AGENT_NAMESPACE,
    metricName: 'netstat_tcp_established',
    dimensionsMap: { InstanceId },
    statistic: 'Average',
    period,
  });
  const alarms = frontDoor && config.alarms ? DOOR_ALARMS : 0;
  return { outputs, design: singleHostDesign(scope, host.instanceType, InstanceId, connections, alarms) };
}

/** TLS by CloudFront. */
function addEdge(parent: Construct, instance: Instance, { domainName: name, ...tls }: HostTls) {
  const scope = new Construct(parent, 'Edge');
  const origin = addHostOrigin(scope, instance);
  const defaultBehavior = passOnTo(Origin.withVpcOrigin(origin));
  return { origin, distribution: addDistribution(scope, { name, ...tls }, { defaultBehavior }) };
}
