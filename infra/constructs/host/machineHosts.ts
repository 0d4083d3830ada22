import { VpcOrigin as Origin } from 'aws-cdk-lib/aws-cloudfront-origins';
import { type Instance, InstanceType, type IVpc } from 'aws-cdk-lib/aws-ec2';
import { Construct } from 'constructs';
import { DOOR_ALARMS } from '../../../cost/prices/serviceFacts.ts';
import { omitUndefined } from '../../../shared/runtime/omitUndefined.ts';
import { deploymentName } from '../../config/deploymentName.ts';
import type { Host, HostTls } from '../../config/host.ts';
import type { Design } from '../cost/costDashboard.ts';
import { singleHostDesign } from '../cost/hostCost.ts';
import { addDistribution, passOnTo } from '../domain/distribution.ts';
import { type Outputs, urlOutputs } from '../outputs.ts';
import { addDoorTier } from './doorTier.ts';
import { FrontDoor } from './frontDoor.ts';
import { addGenerator } from './generatorMachine.ts';
import { addHostDashboard } from './hostDashboard.ts';
import type { HostResources } from './hostGrants.ts';
import { HOST_PORT, HostInstall } from './hostInstall.ts';
import { HostMachine } from './hostMachine.ts';
import { type Entry, HostNetwork } from './hostNetwork.ts';
import { addHostOrigin } from './hostOrigin.ts';
import { admitOrigin } from './originAccess.ts';

/** The same service on one machine, like FeatBit's benchmark. It is billed by the hour. */
export class MachineHosts extends Construct {
  /** Cost of the design, for the cost dashboard. Undefined if the price sheet lacks the instance type. */
  readonly design: Design | undefined;
  readonly outputs: Record<string, Outputs[string]> = {};

  /** @param vpc the network, instead of a new one */
  constructor(scope: Construct, id: string, host: Host, served: HostResources, vpc?: IVpc) {
    super(scope, id);
    const { metricsSeconds, tls } = host;
    const { frontDoor } = served.config;
    const network = new HostNetwork(this, 'Network', {
      port: HOST_PORT,
      entry: frontDoor ? 'cloudfront' : entryTo(host),
      ...omitUndefined({ zone: host.availabilityZone, allowedCidrs: host.allowedCidrs, vpc }),
    });
    const install = new HostInstall(this, 'Install', { host, ...served });
    const hasAddress = host.network === 'public' && tls === undefined;
    const hostMachine = new HostMachine(this, 'Host', { host, network, install, hasAddress });
    const { instance } = hostMachine.machine;
    const named = frontDoor ?? tls;
    if (named) {
      const door = frontDoor && new FrontDoor(this, 'Edge', instance, frontDoor, served.apiUris);
      const { origin, distribution } = door ?? this.#addEdge(instance, named);
      admitOrigin(this, served.config, network, origin, distribution);
      this.#out(
        'DomainTarget',
        distribution.distributionDomainName,
        `What ${named.domainName} has to point to (CNAME)`,
      );
      this.#outUris(true, named.domainName);
      if (door) addDoorTier(this, served, instance, door.hints);
    } else this.#outUris(false, `${hostMachine.address ?? instance.instancePrivateIp}:${HOST_PORT}`);
    const name = deploymentName(served.config);
    const dashboardUrl = addHostDashboard(this, name, hostMachine, metricsSeconds);
    this.#out('HostId', instance.instanceId, 'The machine of the host');
    this.#out('HostSession', `aws ssm start-session --target ${instance.instanceId}`, 'A shell on the host');
    this.#out('DashboardUrl', dashboardUrl, 'Processor, credits, memory, sockets');
    this.#addGenerator(host, network);
    const alarms = frontDoor && served.config.alarms ? DOOR_ALARMS : 0;
    this.design = singleHostDesign(this, host.instanceType, instance.instanceId, hostMachine.connections(), alarms);
  }

  /** TLS by CloudFront. */
  #addEdge(instance: Instance, { domainName: name, ...tls }: HostTls) {
    const edge = new Construct(this, 'Edge');
    const origin = addHostOrigin(edge, instance);
    const defaultBehavior = passOnTo(Origin.withVpcOrigin(origin));
    return { origin, distribution: addDistribution(edge, { name, ...tls }, { defaultBehavior }) };
  }

  #addGenerator({ loadGenerator, machineImage }: Host, network: HostNetwork): void {
    if (!loadGenerator) return;
    const instanceType = new InstanceType(loadGenerator.instanceType);
    const { instanceId } = addGenerator(this, network, instanceType, machineImage).instance;
    this.#out('LoadGeneratorId', instanceId, 'The machine where load comes from');
    this.#out('LoadGeneratorSession', `aws ssm start-session --target ${instanceId}`, 'A shell where load comes from');
  }

  #outUris(isSecure: boolean, host: string): void {
    const [webSocket, http] = isSecure ? ['wss', 'https'] : ['ws', 'http'];
    Object.assign(this.outputs, urlOutputs(`${webSocket}://${host}`, `${http}://${host}`));
  }

  #out(name: string, value: string, description: string): void {
    this.outputs[name] = { value, description };
  }
}

function entryTo({ network, tls }: Host): Entry {
  if (network === 'private') return 'network';
  return tls ? 'cloudfront' : 'internet';
}
