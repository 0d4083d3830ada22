import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { CfnEIP, CpuCredits, InstanceType } from 'aws-cdk-lib/aws-ec2';
import { Construct } from 'constructs';
import type { Host } from '../../config/host.ts';
import { period } from '../observed.ts';
import { AGENT_NAMESPACE } from './agentMetrics.ts';
import type { HostInstall } from './hostInstall.ts';
import type { HostNetwork } from './hostNetwork.ts';
import { Machine } from './machine.ts';

/** Settings of the host's machine. */
interface HostMachineProps {
  readonly host: Host;
  readonly network: HostNetwork;
  readonly install: HostInstall;
  /** Whether it keeps its public address when it is replaced. */
  readonly hasAddress: boolean;
}

/** Disk of a host, in GB. */
export const HOST_DISK_GB = 8;

/** The host on one instance. A change replaces it: the old one is deleted after the new one is ready. Otherwise the new one is deleted. */
export class HostMachine extends Construct {
  readonly machine: Machine;
  /** Its public address, if it keeps one. */
  readonly address?: string;

  constructor(scope: Construct, id: string, { host, network, install, hasAddress }: HostMachineProps) {
    super(scope, id);
    const credits = creditsOf(host);
    this.machine = new Machine(this, 'Machine', {
      vpc: network.vpc,
      securityGroup: network.host,
      instanceType: new InstanceType(host.instanceType),
      image: host.machineImage,
      userData: install.userData,
      diskGb: HOST_DISK_GB,
      ...(credits ? { credits } : {}),
    });
    install.grant(this.machine.role);
    if (hasAddress) this.address = new CfnEIP(this, 'Address', { instanceId: this.machine.instance.instanceId }).ref;
  }

  /** Average of its connections, from the agent's reports. */
  connections(): Metric {
    return new Metric({
      namespace: AGENT_NAMESPACE,
      metricName: 'netstat_tcp_established',
      dimensionsMap: { InstanceId: this.machine.instance.instanceId },
      statistic: 'Average',
      period,
    });
  }
}

/** Credit mode of a type without credits. Undefined for types of other families, which refuse the setting. */
function creditsOf({ instanceType, credits }: Host): CpuCredits | undefined {
  if (!instanceType.startsWith('t')) return undefined;
  return credits === 'standard' ? CpuCredits.STANDARD : CpuCredits.UNLIMITED;
}
