import {
  AmazonLinuxCpuType,
  BlockDeviceVolume,
  type CfnInstance,
  type CpuCredits,
  EbsDeviceVolumeType,
  HttpTokens,
  Instance,
  InstanceArchitecture,
  type InstanceType,
  type IVpc,
  MachineImage,
  type SecurityGroup,
  SubnetType,
  type UserData,
} from 'aws-cdk-lib/aws-ec2';
import { ManagedPolicy, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Duration } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { acknowledge } from '../acknowledge.ts';

/** What a machine of the comparison is told. */
interface MachineProps {
  readonly vpc: IVpc;
  readonly securityGroup: SecurityGroup;
  readonly instanceType: InstanceType;
  /** For types that earn credits. */
  readonly credits?: CpuCredits;
  readonly userData: UserData;
  readonly diskGb: number;
}

/**
 * An instance of Amazon Linux 2023: no key and no SSH but Session Manager, instance metadata by token only, an encrypted
 * disk, detailed monitoring. It is replaced when its user data changes, and counts as made once that has succeeded.
 */
export class Machine extends Construct {
  readonly instance: Instance;
  readonly role: Role;

  constructor(scope: Construct, id: string, props: MachineProps) {
    super(scope, id);
    this.role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('ec2.amazonaws.com'),
      managedPolicies: [ManagedPolicy.fromAwsManagedPolicyName('AmazonSSMManagedInstanceCore')],
    });
    acknowledge(
      this.role,
      'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/AmazonSSMManagedInstanceCore]',
      'Session Manager takes the place of SSH, and this is the policy AWS keeps for it.',
    );
    const isArm = props.instanceType.architecture === InstanceArchitecture.ARM_64;
    const cpuType = isArm ? AmazonLinuxCpuType.ARM_64 : AmazonLinuxCpuType.X86_64;
    this.instance = new Instance(this, 'Instance', {
      vpc: props.vpc,
      vpcSubnets: { subnetType: SubnetType.PUBLIC },
      securityGroup: props.securityGroup,
      instanceType: props.instanceType,
      machineImage: MachineImage.latestAmazonLinux2023({ cpuType }),
      role: this.role,
      userData: props.userData,
      userDataCausesReplacement: true,
      resourceSignalTimeout: Duration.minutes(10),
      httpTokens: HttpTokens.REQUIRED,
      httpPutResponseHopLimit: 1,
      detailedMonitoring: true,
      blockDevices: [
        {
          deviceName: '/dev/xvda',
          volume: BlockDeviceVolume.ebs(props.diskGb, { encrypted: true, volumeType: EbsDeviceVolumeType.GP3 }),
        },
      ],
      ...(props.credits ? { creditSpecification: props.credits } : {}),
    });
    // What it installs comes from outside: without a route, its first boot would fail.
    for (const subnet of props.vpc.publicSubnets)
      this.instance.node.addDependency(subnet.internetConnectivityEstablished);
    props.userData.addSignalOnExitCommand(this.instance);
    (this.instance.node.defaultChild as CfnInstance).addPropertyOverride('PropagateTagsToVolumeOnCreation', true);
    acknowledge(
      this.instance,
      'AwsSolutions-EC29',
      'It keeps nothing that the table does not have, and must go with its stack.',
    );
  }
}
