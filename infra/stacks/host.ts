import { InstanceType } from 'aws-cdk-lib/aws-ec2';
import { TargetType } from 'aws-cdk-lib/aws-elasticloadbalancingv2';
import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { omitUndefined } from '../../shared/runtime/omitUndefined.ts';
import type { Config } from '../config/config.ts';
import { deploymentName } from '../config/deploymentName.ts';
import type { Host } from '../config/host.ts';
import type { Design } from '../constructs/cost/costDashboard.ts';
import { hostGroupDesign, PRICED_HOST, singleHostDesign } from '../constructs/cost/hostCost.ts';
import { ZONES } from '../constructs/fargate/network.ts';
import { GeneratorMachine } from '../constructs/host/generatorMachine.ts';
import { GroupDashboard, groupConcerns, groupMetrics } from '../constructs/host/groupDashboard.ts';
import { HostDashboard } from '../constructs/host/hostDashboard.ts';
import { HostEdge } from '../constructs/host/hostEdge.ts';
import { HostGroup } from '../constructs/host/hostGroup.ts';
import { HOST_PORT, HostInstall } from '../constructs/host/hostInstall.ts';
import { HostMachine } from '../constructs/host/hostMachine.ts';
import { type Entry, firstZones, HostNetwork } from '../constructs/host/hostNetwork.ts';
import { HostBalancer, IDLE_SECONDS, listenerPort } from '../constructs/hostBalancer.ts';
import { alarmOn } from '../constructs/observability/concern.ts';
import type { DataStack } from './data.ts';
import type { ServerlessStack } from './serverless.ts';

/** What the host serves, and from what. */
interface Parts {
  readonly data: DataStack;
  readonly serverless: ServerlessStack;
}

/** The same service on one machine, as FeatBit measured its server, or on several behind a balancer. It costs by the hour. */
export class HostStack extends Stack {
  /** What the cost dashboard compares; undefined where the price sheet does not have the machines' type. */
  readonly design: Design | undefined;

  constructor(scope: Construct, id: string, config: Config, host: Host, parts: Parts, props: StackProps) {
    super(scope, id, props);
    const design = host.count === 1 ? this.#addOne(config, host, parts) : this.#addSeveral(config, host, parts);
    this.design = host.instanceType === PRICED_HOST ? design : undefined;
  }

  #addOne(config: Config, host: Host, parts: Parts): Design {
    const { availabilityZone, metricsSeconds, tls } = host;
    const network = new HostNetwork(this, 'Network', {
      zones: availabilityZone ? [availabilityZone] : firstZones(1),
      port: HOST_PORT,
      entry: entryTo(host),
      ...omitUndefined({ allowedCidrs: host.allowedCidrs }),
    });
    const install = this.#install(config, host, parts);
    const hasAddress = host.network === 'public' && tls === undefined;
    const hostMachine = new HostMachine(this, 'Host', { host, network, install, hasAddress });
    const { instance } = hostMachine.machine;
    if (tls) {
      const { target } = new HostEdge(this, 'Edge', instance, tls);
      this.#out('DomainTarget', target, `What ${tls.domainName} has to point to (CNAME)`);
      this.#outUris(true, tls.domainName);
    } else this.#outUris(false, `${hostMachine.address ?? instance.instancePrivateIp}:${HOST_PORT}`);
    const dashboard = new HostDashboard(this, 'Observability', hostMachine, {
      deployment: deploymentName(config),
      metricsSeconds,
    });
    this.#out('HostId', instance.instanceId, 'The machine of the host');
    this.#out('HostSession', `aws ssm start-session --target ${instance.instanceId}`, 'A shell on the host');
    this.#out('DashboardUrl', dashboard.url, 'Processor, credits, memory, sockets');
    this.#addGenerator(config, host, network);
    return singleHostDesign(this, instance.instanceId, hostMachine.connections());
  }

  #addSeveral(config: Config, host: Host, parts: Parts): Design {
    const { tls } = host;
    const network = new HostNetwork(this, 'Network', {
      zones: firstZones(ZONES),
      port: HOST_PORT,
      entry: entryTo(host),
      balancerPort: listenerPort(tls),
      ...omitUndefined({ allowedCidrs: host.allowedCidrs }),
    });
    const install = this.#install(config, host, parts, IDLE_SECONDS);
    const entry = new HostBalancer(this, 'Entry', network.atBalancer, tls, HOST_PORT, {
      isInternal: host.network === 'private',
      targetType: TargetType.INSTANCE,
    });
    const { group } = new HostGroup(this, 'Hosts', { host, network, install, targets: entry.targets });
    const metrics = groupMetrics(entry);
    const concerns = config.alarms ? groupConcerns(host.count, metrics) : [];
    alarmOn(new Construct(this, 'Alarms'), config, concerns);
    const { flags } = parts.data;
    const dashboard = new GroupDashboard(this, 'Observability', {
      deployment: deploymentName(config),
      metrics,
      group,
      flags,
    });
    this.#outUris(tls !== undefined, entry.host);
    if (tls) {
      const { loadBalancerDnsName } = entry.balancer;
      this.#out('BalancerTarget', loadBalancerDnsName, `What ${tls.domainName} has to point to (CNAME)`);
    }
    this.#out('DashboardUrl', dashboard.url, 'Connections, hosts, processor, credits');
    this.#addGenerator(config, host, network);
    return hostGroupDesign(this, {
      metrics,
      count: host.count,
      groupName: group.autoScalingGroupName,
      addresses: host.network === 'public' ? ZONES : 0,
      alarms: concerns.length,
    });
  }

  #install(config: Config, host: Host, { data, serverless }: Parts, idleSeconds?: number): HostInstall {
    const { flags } = data;
    const { insightStream } = serverless.observed;
    return new HostInstall(this, 'Install', {
      config,
      host,
      flags,
      insightStream,
      ...(idleSeconds === undefined ? {} : { idleSeconds }),
    });
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
    this.#out('StreamingUri', `${webSocket}://${host}`, "An SDK's streaming URL");
    this.#out('PollingUri', `${http}://${host}`, "An SDK's polling URL");
    this.#out('EventsUri', `${http}://${host}`, "An SDK's events URL");
  }

  #out(name: string, value: string, description: string): void {
    new CfnOutput(this, name, { value, description });
  }
}

function entryTo({ network, tls, count }: Host): Entry {
  if (network === 'private') return 'network';
  return tls && count === 1 ? 'cloudfront' : 'internet';
}
