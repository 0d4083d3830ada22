import {
  AdditionalHealthCheckType,
  AutoScalingGroup,
  HealthChecks,
  Signals,
  UpdatePolicy,
} from 'aws-cdk-lib/aws-autoscaling';
import { InstanceType, LaunchTemplate } from 'aws-cdk-lib/aws-ec2';
import type { NetworkTargetGroup } from 'aws-cdk-lib/aws-elasticloadbalancingv2';
import { Construct } from 'constructs';
import type { Host } from '../../config/host.ts';
import { acknowledge } from '../acknowledge.ts';
import type { HostInstall } from './hostInstall.ts';
import { creditsOf, HOST_DISK_GB } from './hostMachine.ts';
import type { HostNetwork } from './hostNetwork.ts';
import { disk, imageFor, machineRole, READY_WITHIN } from './machine.ts';

/** Settings of a group of hosts. */
interface HostGroupProps {
  readonly host: Host;
  readonly network: HostNetwork;
  readonly install: HostInstall;
  readonly targets: NetworkTargetGroup;
}

/**
 * Two or more hosts behind a load balancer, each like {@link HostMachine}. A change replaces one machine at a time: the next one after the
 * new one has signalled that it is ready. If one does not become ready, all are rolled back. A machine that is not ready for long, or that
 * Spot interrupts, is replaced.
 */
export class HostGroup extends Construct {
  readonly group: AutoScalingGroup;

  constructor(scope: Construct, id: string, { host, network, install, targets }: HostGroupProps) {
    super(scope, id);
    const role = machineRole(this);
    install.grant(role);
    const instanceType = new InstanceType(host.instanceType);
    const credits = creditsOf(host);
    const launchTemplate = new LaunchTemplate(this, 'Launch', {
      machineImage: imageFor({ image: host.machineImage, instanceType }),
      instanceType,
      role,
      userData: install.userData,
      securityGroup: network.host,
      associatePublicIpAddress: true,
      requireImdsv2: true,
      httpPutResponseHopLimit: 1,
      detailedMonitoring: true,
      blockDevices: [disk(HOST_DISK_GB)],
      ...(credits ? { cpuCredits: credits } : {}),
      ...(host.spot ? { spotOptions: {} } : {}),
    });
    this.group = new AutoScalingGroup(this, 'Group', {
      vpc: network.vpc,
      vpcSubnets: { subnets: network.subnets },
      launchTemplate,
      minCapacity: host.count,
      // Room for a new machine before an old one is stopped.
      maxCapacity: host.count + 1,
      signals: Signals.waitForMinCapacity({ timeout: READY_WITHIN }),
      updatePolicy: UpdatePolicy.rollingUpdate({
        maxBatchSize: 1,
        minInstancesInService: host.count,
        waitOnResourceSignals: true,
        pauseTime: READY_WITHIN,
      }),
      healthChecks: HealthChecks.withAdditionalChecks({
        gracePeriod: READY_WITHIN,
        additionalTypes: [AdditionalHealthCheckType.ELB],
      }),
      capacityRebalance: host.spot,
    });
    install.userData.addSignalOnExitCommand(this.group);
    this.group.attachToNetworkTargetGroup(targets);
    // The installation needs internet access: without a route, the first boot would fail.
    for (const subnet of network.vpc.publicSubnets)
      this.group.node.addDependency(subnet.internetConnectivityEstablished);
    acknowledge(this.group, 'AwsSolutions-AS3', 'An alarm says when fewer hosts are ready than there are to be.');
  }
}
