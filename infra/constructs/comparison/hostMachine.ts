import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { type CpuCredits, type InstanceType, UserData } from 'aws-cdk-lib/aws-ec2';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Asset } from 'aws-cdk-lib/aws-s3-assets';
import { Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { cacheDirectory } from '../../cacheDirectory.ts';
import type { Config } from '../../config/config.ts';
import { repositoryRoot } from '../../repository.ts';
import { acknowledge } from '../acknowledge.ts';
import { retentionOf } from '../retention.ts';
import { AGENT_NAMESPACE } from './agentMetrics.ts';
import { bunBinary, bunBuildFor } from './bunBinary.ts';
import { type HostArchive, packHost } from './hostArchive.ts';
import { Machine } from './machine.ts';
import type { ComparisonNetwork } from './network.ts';

/** The port of FeatBit's evaluation server. */
export const HOST_PORT = 5100;

/** Settings of the host's machine. */
interface HostMachineProps {
  readonly config: Config;
  readonly flags: ITableV2;
  readonly network: ComparisonNetwork;
  readonly instanceType: InstanceType;
  readonly image: string | undefined;
  readonly credits?: CpuCredits;
  /** How often the CloudWatch agent measures. */
  readonly metricsSeconds: number;
}

/** The host on an instance, installed from one archive whose digest is in the template. */
export class HostMachine extends Construct {
  readonly machine: Machine;
  readonly logGroup: LogGroup;

  constructor(scope: Construct, id: string, props: HostMachineProps) {
    super(scope, id);
    const { config, flags, network, instanceType, image, credits, metricsSeconds } = props;
    const { region } = Stack.of(this);
    this.logGroup = new LogGroup(this, 'Logs', {
      retention: config.logRetentionDays,
      removalPolicy: retentionOf(config).removalPolicy,
    });
    const archive = archiveFor(this, instanceType);
    const asset = new Asset(this, 'Archive', { path: archive.path });
    const userData = UserData.forLinux();
    this.machine = new Machine(this, 'Machine', {
      vpc: network.vpc,
      securityGroup: network.host,
      instanceType,
      image,
      userData,
      diskGb: 8,
      ...(credits ? { credits } : {}),
    });
    userData.addCommands(
      'set -euo pipefail',
      'cd "$(mktemp -d)"',
      `aws s3 cp --region ${region} --only-show-errors ${asset.s3ObjectUrl} host.tar.gz`,
      `echo "${archive.sha256}  host.tar.gz" | sha256sum --check`,
      'tar -xzf host.tar.gz --no-same-owner && rm host.tar.gz',
      `./install.sh --table ${flags.tableName} --region ${region} --port ${HOST_PORT} --missing-attribute ${config.missingAttribute} --metrics-seconds ${metricsSeconds} --log-group ${this.logGroup.logGroupName}`,
    );
    this.#grant(flags, asset);
  }

  /** Reads of the one table and the one archive, its own logs and metrics, and nothing else. */
  #grant(flags: ITableV2, asset: Asset): void {
    const { role } = this.machine;
    const { partition } = Stack.of(this);
    const allow = (actions: string[], resources: string[], conditions = {}) =>
      role.addToPolicy(new PolicyStatement({ actions, resources, conditions }));
    allow(['dynamodb:GetItem', 'dynamodb:Query'], [flags.tableArn]);
    allow(['s3:GetObject'], [`arn:${partition}:s3:::${asset.s3BucketName}/${asset.s3ObjectKey}`]);
    allow(['cloudwatch:PutMetricData'], ['*'], { StringEquals: { 'cloudwatch:namespace': AGENT_NAMESPACE } });
    acknowledge(
      role,
      'AwsSolutions-IAM5[Resource::*]',
      'PutMetricData knows no resources; it is held to one namespace by a condition.',
    );
    this.logGroup.grantWrite(role);
    allow(['logs:DescribeLogStreams'], [this.logGroup.logGroupArn]);
  }
}

/** Without bundling, as tests and the local emulator synthesize, a placeholder is used. */
function archiveFor(scope: Construct, instanceType: InstanceType): HostArchive {
  if (!Stack.of(scope).bundlingRequired) {
    return { path: `${repositoryRoot}/package.json`, sha256: '0'.repeat(64) };
  }
  const build = bunBuildFor(instanceType);
  return packHost(bunBinary(build), `${cacheDirectory}/host-${build}`);
}
