import {
  AwsLogDriverMode,
  Capability,
  ContainerDependencyCondition,
  ContainerImage,
  CpuArchitecture,
  FargateTaskDefinition,
  LinuxParameters,
  LogDrivers,
  OperatingSystemFamily,
  UlimitName,
} from 'aws-cdk-lib/aws-ecs';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import { Duration, Size, Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { Fargate } from '../../config/fargate.ts';
import { acknowledge } from '../acknowledge.ts';
import { HOST_PORT, hostEnvironment } from '../host/hostEnvironment.ts';
import { grantHost, type HostResources } from '../host/hostGrants.ts';
import { IDLE_SECONDS } from './hostBalancer.ts';
import { addProgram, fetchCommands, PROGRAM_DIRECTORY } from './hostProgram.ts';

/** Limit of open files of a task, one per connection. Fargate's default of 65,535 is too low. The unit for machines has the same limit. */
const OPEN_FILES = 200_000;

/** Time after its drain at which a host that has not ended is killed, in seconds. Both together are at most 120 s, Fargate's limit. */
const AFTER_DRAIN_SECONDS = 10;

/** A user without files. */
const NOBODY = '65534:65534';

/** Settings of a task. */
interface HostTaskProps extends HostResources {
  readonly fargate: Fargate;
  readonly logGroup: ILogGroup;
}

/** Adds a task. One container downloads and checks the program. Another runs it in the same image, read-only and as a user without rights. */
export function addTask(parent: Construct, props: HostTaskProps): FargateTaskDefinition {
  const scope = new Construct(parent, 'Task');
  const { fargate, logGroup } = props;
  const volume = { name: 'program' };
  const definition = new FargateTaskDefinition(scope, 'Definition', {
    cpu: fargate.vcpu * 1_024,
    memoryLimitMiB: fargate.memoryGb * 1_024,
    runtimePlatform: { cpuArchitecture: CpuArchitecture.ARM64, operatingSystemFamily: OperatingSystemFamily.LINUX },
    volumes: [volume],
  });
  acknowledge(definition, 'AwsSolutions-ECS2', 'The environment holds names and numbers, and no secret.');
  const image = ContainerImage.fromRegistry(fargate.image);
  const logging = (streamPrefix: string) =>
    // A host must not wait for its log.
    LogDrivers.awsLogs({
      logGroup,
      streamPrefix,
      mode: AwsLogDriverMode.NON_BLOCKING,
      maxBufferSize: Size.mebibytes(4),
    });
  const program = addProgram(scope);
  const fetch = definition.addContainer('fetch', {
    image,
    essential: false,
    entryPoint: ['sh', '-c'],
    command: [fetchCommands(program.files)],
    startTimeout: Duration.minutes(2),
    logging: logging('fetch'),
  });
  fetch.addMountPoints({ sourceVolume: volume.name, containerPath: PROGRAM_DIRECTORY, readOnly: false });
  // An init process passes signals on. A process with the id 1 ignores them until the host handles them.
  const linuxParameters = new LinuxParameters(scope, 'Unprivileged', { initProcessEnabled: true });
  linuxParameters.dropCapabilities(Capability.ALL);
  const host = definition.addContainer('host', {
    image,
    entryPoint: [`${PROGRAM_DIRECTORY}/bun`, `${PROGRAM_DIRECTORY}/host.js`],
    environment: {
      ...hostEnvironment(props, fargate, Stack.of(scope).region),
      DRAIN_MS: String(fargate.drainSeconds * 1_000),
      IDLE_TIMEOUT_MS: String(IDLE_SECONDS * 1_000),
      NODE_ENV: 'production',
    },
    user: NOBODY,
    readonlyRootFilesystem: true,
    linuxParameters,
    ulimits: [{ name: UlimitName.NOFILE, softLimit: OPEN_FILES, hardLimit: OPEN_FILES }],
    stopTimeout: Duration.seconds(fargate.drainSeconds + AFTER_DRAIN_SECONDS),
    portMappings: [{ containerPort: HOST_PORT }],
    logging: logging('host'),
  });
  host.addMountPoints({ sourceVolume: volume.name, containerPath: PROGRAM_DIRECTORY, readOnly: true });
  host.addContainerDependencies({ container: fetch, condition: ContainerDependencyCondition.SUCCESS });
  definition.defaultContainer = host;
  // Fargate writes its log.
  grantHost(definition.taskRole, props);
  definition.addToTaskRolePolicy(new PolicyStatement({ actions: ['s3:GetObject'], resources: program.arns }));
  return definition;
}
