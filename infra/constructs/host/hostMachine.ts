import { CfnEIP, CpuCredits, InstanceType } from 'aws-cdk-lib/aws-ec2';
import { Construct } from 'constructs';
import { HOST_DISK_GB } from '../../../cost/prices/serviceFacts.ts';
import type { Host } from '../../config/host.ts';
import type { HostInstall } from './hostInstall.ts';
import type { HostNetwork } from './hostNetwork.ts';
import { addMachine } from './machine.ts';

/**
 * Adds the host on one instance. A change replaces it: the old one is deleted after the new one is ready. Otherwise the new one is deleted.
 *
 * @param hasAddress whether it keeps its public address when it is replaced
 */
export function addHostMachine(
  parent: Construct,
  host: Host,
  network: HostNetwork,
  install: HostInstall,
  hasAddress: boolean,
) {
  const scope = new Construct(parent, 'Host');
  const credits = creditsOf(host);
  const { instance, role } = addMachine(scope, {
    vpc: network.vpc,
    securityGroup: network.host,
    instanceType: new InstanceType(host.instanceType),
    image: host.machineImage,
    userData: install.userData,
    diskGb: HOST_DISK_GB,
    ...(credits ? { credits } : {}),
  });
  install.grant(role);
  const address = hasAddress ? new CfnEIP(scope, 'Address', { instanceId: instance.instanceId }).ref : undefined;
  return { instance, address };
}

/** Credit mode of a type without credits. Undefined for types of other families, which refuse the setting. */
function creditsOf({ instanceType, credits }: Host): CpuCredits | undefined {
  if (!instanceType.startsWith('t')) return undefined;
  return credits === 'standard' ? CpuCredits.STANDARD : CpuCredits.UNLIMITED;
}
