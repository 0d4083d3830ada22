import { type InstanceType, UserData } from 'aws-cdk-lib/aws-ec2';
import { Construct } from 'constructs';
import type { HostNetwork } from './hostNetwork.ts';
import { addMachine } from './machine.ts';

/** Disk of the load generator, in GB. */
export const GENERATOR_DISK_GB = 20;

/**
 * Adds a machine to the host's network that generates load. It has git, Node from the system's packages, and higher limits of files and
 * ports.
 *
 * @returns the id of its instance
 */
export function addGenerator(
  scope: Construct,
  network: HostNetwork,
  instanceType: InstanceType,
  image: string | undefined,
): string {
  const userData = UserData.forLinux();
  const { instance } = addMachine(new Construct(scope, 'LoadGenerator'), {
    vpc: network.vpc,
    securityGroup: network.generator,
    instanceType,
    image,
    userData,
    diskGb: GENERATOR_DISK_GB,
  });
  userData.addCommands(
    'set -euo pipefail',
    'echo "net.ipv4.ip_local_port_range = 1024 65535" > /etc/sysctl.d/90-load.conf && sysctl --quiet --load /etc/sysctl.d/90-load.conf',
    'printf "* - nofile 1000000\\n" > /etc/security/limits.d/90-load.conf',
    'dnf install --assumeyes --quiet git tar gzip nodejs24 nodejs24-npm',
  );
  return instance.instanceId;
}
