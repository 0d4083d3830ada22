import {
  AmazonLinux2023ImageSsmParameter,
  AmazonLinux2023Kernel,
  AmazonLinuxCpuType,
  BlockDeviceVolume,
  type CfnInstance,
  CfnLaunchTemplate,
  type CpuCredits,
  EbsDeviceVolumeType,
  type IMachineImage,
  Instance,
  InstanceArchitecture,
  type InstanceType,
  type IVpc,
  MachineImage,
  OperatingSystemType,
  type SecurityGroup,
  SubnetType,
  UserData,
} from 'aws-cdk-lib/aws-ec2';
import { ManagedPolicy, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Duration } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { acknowledge } from '../acknowledge.ts';

/** Time limit for a new machine to signal that it is ready. */
const READY_WITHIN = Duration.minutes(10);

/** Settings of a machine. */
interface MachineProps {
  readonly vpc: IVpc;
  readonly securityGroup: SecurityGroup;
  readonly instanceType: InstanceType;
  /** Id of the image. By default, the newest Amazon Linux 2023 when the machine is launched. */
  readonly image: string | undefined;
  /** Credit mode, for types that earn credits. */
  readonly credits?: CpuCredits;
  readonly userData: UserData;
  readonly diskGb: number;
}

/**
 * Adds an instance of Amazon Linux 2023 with Session Manager instead of keys and SSH, instance metadata by token only, an encrypted disk, and
 * detailed monitoring. It is replaced when its user data changes, and is complete after that has succeeded.
 *
 * A newer image replaces no machine: EC2 looks up the newest one at launch. A parameter of the stack would be looked up at each deployment.
 */
export function addMachine(parent: Construct, props: MachineProps) {
  const scope = new Construct(parent, 'Machine');
  const role = machineRole(scope);
  const machineImage = imageFor(props);
  const volume = BlockDeviceVolume.ebs(props.diskGb, { encrypted: true, volumeType: EbsDeviceVolumeType.GP3 });
  const launch = new CfnLaunchTemplate(scope, 'Launch', {
    launchTemplateData: { imageId: machineImage.getImage(scope).imageId },
  });
  const instance = new Instance(scope, 'Instance', {
    vpc: props.vpc,
    vpcSubnets: { subnetType: SubnetType.PUBLIC },
    securityGroup: props.securityGroup,
    instanceType: props.instanceType,
    machineImage,
    role,
    userData: props.userData,
    userDataCausesReplacement: true,
    resourceSignalTimeout: READY_WITHIN,
    detailedMonitoring: true,
    blockDevices: [{ deviceName: '/dev/xvda', volume }],
    ...(props.credits ? { creditSpecification: props.credits } : {}),
  });
  // The installation needs internet access: without a route, the first boot would fail.
  for (const subnet of props.vpc.publicSubnets) instance.node.addDependency(subnet.internetConnectivityEstablished);
  // Another type or image is another machine, which is ready before this one is deleted. The user data determines that.
  props.userData.addCommands(`# ${props.instanceType} ${props.image ?? 'newest image'}`);
  props.userData.addSignalOnExitCommand(instance);
  const resource = instance.node.defaultChild as CfnInstance;
  // Older versions of CDK, which flagwire-cdk supports, lack these properties of an instance.
  resource.addPropertyOverride('MetadataOptions', { HttpTokens: 'required', HttpPutResponseHopLimit: 1 });
  resource.addPropertyOverride('PropagateTagsToVolumeOnCreation', true);
  resource.addPropertyDeletionOverride('ImageId');
  resource.launchTemplate = { launchTemplateId: launch.ref, version: launch.attrLatestVersionNumber };
  const why = 'It keeps nothing that the table does not have, and must go with its stack.';
  acknowledge(instance, 'AwsSolutions-EC29', why);
  return { instance, role };
}

/** The role of a machine, with Session Manager. Others grant it more. */
function machineRole(scope: Construct): Role {
  const role = new Role(scope, 'Role', {
    assumedBy: new ServicePrincipal('ec2.amazonaws.com'),
    managedPolicies: [ManagedPolicy.fromAwsManagedPolicyName('AmazonSSMManagedInstanceCore')],
  });
  acknowledge(
    role,
    'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/AmazonSSMManagedInstanceCore]',
    'Session Manager takes the place of SSH, and this is the policy AWS keeps for it.',
  );
  return role;
}

/** The image of a machine. By default, the newest Amazon Linux 2023 at launch. */
function imageFor({ image, instanceType }: Pick<MachineProps, 'image' | 'instanceType'>): IMachineImage {
  if (image !== undefined) {
    const config = { imageId: image, osType: OperatingSystemType.LINUX, userData: UserData.forLinux() };
    return { getImage: () => config };
  }
  const isArm = instanceType.architecture === InstanceArchitecture.ARM_64;
  const cpuType = isArm ? AmazonLinuxCpuType.ARM_64 : AmazonLinuxCpuType.X86_64;
  return MachineImage.resolveSsmParameterAtLaunch(
    AmazonLinux2023ImageSsmParameter.ssmParameterName({ cpuType, kernel: AmazonLinux2023Kernel.KERNEL_6_1 }),
  );
}
