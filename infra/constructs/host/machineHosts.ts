import { InstanceType, type IVpc } from 'aws-cdk-lib/aws-ec2';
import { TargetType } from 'aws-cdk-lib/aws-elasticloadbalancingv2';
import { Construct } from 'constructs';
import { DOOR_ALARMS } from '../../../cost/prices/serviceFacts.ts';
import { omitUndefined } from '../../../shared/runtime/omitUndefined.ts';
import type { Config } from '../../config/config.ts';
import { deploymentName } from '../../config/deploymentName.ts';
import { type Host, ZONES, zonesOf } from '../../config/host.ts';
import type { Design } from '../cost/costDashboard.ts';
import { hostGroupDesign, singleHostDesign } from '../cost/hostCost.ts';
import { HostBalancer, IDLE_SECONDS, listenerPort } from '../hostBalancer.ts';
import { alarmOn } from '../observability/concern.ts';
import { type Outputs, urlOutputs } from '../outputs.ts';
import { dimensionsOf, ServiceMetrics } from '../serviceMetrics.ts';
import { DoorTier } from './doorTier.ts';
import { FrontDoor } from './frontDoor.ts';
import { GeneratorMachine } from './generatorMachine.ts';
import { addGroupDashboard, groupConcerns } from './groupDashboard.ts';
import { addHostDashboard } from './hostDashboard.ts';
import { HostEdge } from './hostEdge.ts';
import type { HostResources } from './hostGrants.ts';
import { HostGroup } from './hostGroup.ts';
import { HOST_PORT, HostInstall } from './hostInstall.ts';
import { HostMachine } from './hostMachine.ts';
import { type Entry, firstZones, HostNetwork } from './hostNetwork.ts';
import { OriginAccess } from './originAccess.ts';

/** The same service on one machine, like FeatBit's benchmark, or on several behind a load balancer. It is billed by the hour. */
export class MachineHosts extends Construct {
  /** Cost of the design, for the cost dashboard. Undefined if the price sheet lacks the instance type. */
  readonly design: Design | undefined;
  readonly outputs: Record<string, Outputs[string]> = {};

  /** @param vpc the network, instead of a new one */
  constructor(scope: Construct, id: string, host: Host, served: HostResources, vpc?: IVpc) {
    super(scope, id);
    this.design = host.count === 1 ? this.#addOne(host, served, vpc) : this.#addSeveral(host, served, vpc);
  }

  #addOne(host: Host, served: HostResources, vpc?: IVpc): Design | undefined {
    const { metricsSeconds, tls } = host;
    const { frontDoor } = served.config;
    const network = this.#network(host, frontDoor ? 'cloudfront' : entryTo(host), vpc);
    const install = this.#install(host, served);
    const hasAddress = host.network === 'public' && tls === undefined;
    const hostMachine = new HostMachine(this, 'Host', { host, network, install, hasAddress });
    const { instance } = hostMachine.machine;
    const named = frontDoor ?? tls;
    if (named) {
      const door = frontDoor && new FrontDoor(this, 'Edge', instance, frontDoor, served.apiUris);
      const { origin, distribution } = door ?? new HostEdge(this, 'Edge', instance, named);
      new OriginAccess(this, 'EdgeAccess', { config: served.config, network, origin, distribution });
      this.#out(
        'DomainTarget',
        distribution.distributionDomainName,
        `What ${named.domainName} has to point to (CNAME)`,
      );
      this.#outUris(true, named.domainName);
      if (door) new DoorTier(this, 'Tier', served, instance, door.hints);
    } else this.#outUris(false, `${hostMachine.address ?? instance.instancePrivateIp}:${HOST_PORT}`);
    const name = deploymentName(served.config);
    const dashboardUrl = addHostDashboard(this, name, hostMachine, metricsSeconds);
    this.#out('HostId', instance.instanceId, 'The machine of the host');
    this.#out('HostSession', `aws ssm start-session --target ${instance.instanceId}`, 'A shell on the host');
    this.#out('DashboardUrl', dashboardUrl, 'Processor, credits, memory, sockets');
    this.#addGenerator(served.config, host, network);
    const alarms = frontDoor && served.config.alarms ? DOOR_ALARMS : 0;
    return singleHostDesign(this, host.instanceType, instance.instanceId, hostMachine.connections(), alarms);
  }

  #addSeveral(host: Host, served: HostResources, vpc?: IVpc): Design | undefined {
    const { config, flags } = served;
    const { tls } = host;
    const network = this.#network(host, entryTo(host), vpc, listenerPort(tls));
    const install = this.#install(host, served, IDLE_SECONDS);
    const entry = new HostBalancer(this, 'Entry', network.atBalancer, tls, HOST_PORT, {
      isInternal: host.network === 'private',
      targetType: TargetType.INSTANCE,
    });
    const { group } = new HostGroup(this, 'Hosts', { host, network, install, targets: entry.targets });
    const metrics = new ServiceMetrics(dimensionsOf(entry));
    const concerns = config.alarms ? groupConcerns(host.count, metrics) : [];
    alarmOn(new Construct(this, 'Alarms'), config, concerns);
    const dashboardUrl = addGroupDashboard(this, deploymentName(config), group, { metrics, flags });
    this.#outUris(tls !== undefined, entry.host);
    Object.assign(this.outputs, entry.outputs);
    this.#out('DashboardUrl', dashboardUrl, 'Connections, hosts, processor, credits');
    this.#addGenerator(config, host, network);
    return hostGroupDesign(this, {
      metrics,
      type: host.instanceType,
      count: host.count,
      groupName: group.autoScalingGroupName,
      addresses: host.network === 'public' ? ZONES : 0,
      alarms: concerns.length,
    });
  }

  #network(host: Host, entry: Entry, vpc?: IVpc, balancerPort?: number): HostNetwork {
    return new HostNetwork(this, 'Network', {
      zones: host.availabilityZones ?? firstZones(zonesOf(host)),
      port: HOST_PORT,
      entry,
      ...omitUndefined({ allowedCidrs: host.allowedCidrs, vpc, balancerPort }),
    });
  }

  #install(host: Host, served: HostResources, idleSeconds?: number): HostInstall {
    return new HostInstall(this, 'Install', { host, ...served, ...omitUndefined({ idleSeconds }) });
  }

  #addGenerator(config: Config, { loadGenerator, machineImage }: Host, network: HostNetwork): void {
    if (!loadGenerator) return;
    const instanceType = new InstanceType(loadGenerator.instanceType);
    const generator = new GeneratorMachine(this, 'LoadGenerator', {
      network,
      instanceType,
      image: machineImage,
      config,
    });
    const { instanceId } = generator.machine.instance;
    this.#out('LoadGeneratorId', instanceId, 'The machine where load comes from');
    this.#out('LoadBucketName', generator.bucket.bucketName, 'Where load tests are put, and what they measured');
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

function entryTo({ network, tls, count }: Host): Entry {
  if (network === 'private') return 'network';
  return tls && count === 1 ? 'cloudfront' : 'internet';
}
