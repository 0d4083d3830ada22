import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { InstanceType, UserData } from 'aws-cdk-lib/aws-ec2';
import { PolicyStatement, type Role } from 'aws-cdk-lib/aws-iam';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Asset } from 'aws-cdk-lib/aws-s3-assets';
import { Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { cacheDirectory } from '../../cacheDirectory.ts';
import type { Config } from '../../config/config.ts';
import type { Host } from '../../config/host.ts';
import { repositoryRoot } from '../../repository.ts';
import { acknowledge } from '../acknowledge.ts';
import { retentionOf } from '../retention.ts';
import { AGENT_NAMESPACE } from './agentMetrics.ts';
import { bunBinary, bunBuildFor } from './bunBinary.ts';
import { fastPollSettings } from './fastPollSettings.ts';
import { type HostArchive, packHost } from './hostArchive.ts';
import { grantHost } from './hostGrants.ts';

/** The port of FeatBit's evaluation server. */
export const HOST_PORT = 5100;

/** Folder for unpacking the archive. On Amazon Linux 2023, /tmp is in memory. */
const INSTALLATION = '/var/tmp/flagwire-installation';

/** Settings of the installation. */
interface HostInstallProps {
  readonly config: Config;
  readonly host: Host;
  readonly flags: ITableV2;
  /** The table for reports of connections. */
  readonly connections?: ITableV2;
  /** Name of the stream for insight events, because a machine's disk does not outlive it. */
  readonly insightStream: string;
  /** Table of counted evaluations. Undefined if nothing is counted. */
  readonly usage: ITableV2 | undefined;
  /** Idle time in seconds after which a host closes a connection. By default, the host's own. */
  readonly idleSeconds?: number;
}

/** Installs the host on a new instance: user data with one archive whose digest is in the template. */
export class HostInstall extends Construct {
  readonly userData = UserData.forLinux();
  readonly logGroup: LogGroup;
  readonly #props: HostInstallProps;
  readonly #asset: Asset;

  constructor(scope: Construct, id: string, props: HostInstallProps) {
    super(scope, id);
    this.#props = props;
    const { config, host, flags, connections, insightStream, usage, idleSeconds } = props;
    const { region } = Stack.of(this);
    this.logGroup = new LogGroup(this, 'Logs', {
      retention: config.logRetentionDays,
      removalPolicy: retentionOf(config),
    });
    const archive = archiveFor(this, host.instanceType);
    this.#asset = new Asset(this, 'Archive', { path: archive.path });
    const environment = {
      FLAGS_TABLE: flags.tableName,
      ...(connections ? { CONNECTIONS_TABLE: connections.tableName } : {}),
      AWS_REGION: region,
      PORT: HOST_PORT,
      INSIGHT_STREAM: insightStream,
      USAGE_TABLE: usage?.tableName ?? 'off',
      MISSING_ATTRIBUTE: config.missingAttribute,
      POLL_INTERVAL_MS: host.pollIntervalMs,
      ...fastPollSettings(host),
      ...(idleSeconds === undefined ? {} : { IDLE_TIMEOUT_MS: idleSeconds * 1_000 }),
    };
    const settings = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
    this.userData.addCommands(
      'set -euo pipefail',
      `mkdir ${INSTALLATION} && cd ${INSTALLATION}`,
      `aws s3 cp --region ${region} --only-show-errors ${this.#asset.s3ObjectUrl} host.tar.gz`,
      `echo "${archive.sha256}  host.tar.gz" | sha256sum --check`,
      'tar -xzf host.tar.gz --no-same-owner && rm host.tar.gz',
      `./install.sh --metrics-seconds ${host.metricsSeconds} --log-group ${this.logGroup.logGroupName} ${settings.join(' ')}`,
    );
    this.userData.addOnExitCommands(`cd / && rm -rf ${INSTALLATION}`);
  }

  /** Grants a machine the permissions of the host, and access to the archive and to its logs and metrics. */
  grant(role: Role): void {
    const { partition } = Stack.of(this);
    const allow = (actions: string[], resources: string[], conditions = {}) =>
      role.addToPolicy(new PolicyStatement({ actions, resources, conditions }));
    grantHost(role, this.#props);
    allow(['s3:GetObject'], [`arn:${partition}:s3:::${this.#asset.s3BucketName}/${this.#asset.s3ObjectKey}`]);
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

/** Without bundling, as in tests and the local emulator, a placeholder is used. */
function archiveFor(scope: Construct, instanceType: string): HostArchive {
  if (!Stack.of(scope).bundlingRequired) {
    return { path: `${repositoryRoot}/package.json`, sha256: '0'.repeat(64) };
  }
  const build = bunBuildFor(new InstanceType(instanceType));
  return packHost(bunBinary(build), `${cacheDirectory}/host-${build}`);
}
