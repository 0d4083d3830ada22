import { InstanceType, UserData } from 'aws-cdk-lib/aws-ec2';
import { PolicyStatement, type Role } from 'aws-cdk-lib/aws-iam';
import { Asset } from 'aws-cdk-lib/aws-s3-assets';
import { Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { cacheDirectory } from '../../cacheDirectory.ts';
import { DOOR_DRAIN_MS, DOOR_TABLE_OUTAGE_MS } from '../../config/frontDoor.ts';
import type { Host } from '../../config/host.ts';
import { repositoryRoot } from '../../repository.ts';
import { acknowledgeAll } from '../acknowledge.ts';
import { onItems } from '../onItems.ts';
import { addLogGroup } from '../retention.ts';
import { AGENT_NAMESPACE } from './agentMetrics.ts';
import { bunBinary, bunBuildFor } from './bunBinary.ts';
import { type HostArchive, packHost } from './hostArchive.ts';
import { hostEnvironment } from './hostEnvironment.ts';
import { grantHost, type HostResources } from './hostGrants.ts';

/** Folder for unpacking the archive. On Amazon Linux 2023, /tmp is in memory. */
const INSTALLATION = '/var/tmp/flagwire-installation';

/** See {@link addInstall}. */
export type HostInstall = ReturnType<typeof addInstall>;

/** Adds what installs the host on a new instance: user data with one archive whose digest is in the template. */
export function addInstall(parent: Construct, host: Host, served: HostResources) {
  const scope = new Construct(parent, 'Install');
  const { config, flags } = served;
  const { region, partition } = Stack.of(scope);
  const logGroup = addLogGroup(scope, config);
  const archive = archiveFor(scope, host.instanceType);
  const asset = new Asset(scope, 'Archive', { path: archive.path });
  const environment = {
    ...hostEnvironment(served, host, region),
    ...(config.frontDoor && {
      MAX_CONNECTIONS: config.frontDoor.maxConnections,
      MAX_TABLE_OUTAGE_MS: DOOR_TABLE_OUTAGE_MS,
      DRAIN_MS: DOOR_DRAIN_MS,
      HEARTBEAT: true,
    }),
    // CloudFront appends the address of its client to X-Forwarded-For.
    ...(config.frontDoor || host.tls ? { TRUSTED_PROXIES: 1 } : {}),
  };
  const settings = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
  const userData = UserData.forLinux();
  userData.addCommands(
    'set -euo pipefail',
    `mkdir ${INSTALLATION} && cd ${INSTALLATION}`,
    `aws s3 cp --region ${region} --only-show-errors ${asset.s3ObjectUrl} host.tar.gz`,
    `echo "${archive.sha256}  host.tar.gz" | sha256sum --check`,
    'tar -xzf host.tar.gz --no-same-owner && rm host.tar.gz',
    `./install.sh --metrics-seconds ${host.metricsSeconds} --log-group ${logGroup.logGroupName} ${settings.join(' ')}`,
  );
  userData.addOnExitCommands(`cd / && rm -rf ${INSTALLATION}`);
  return {
    userData,
    /** Grants a machine the permissions of the host, and access to the archive and to its logs and metrics. */
    grant(role: Role): void {
      const allow = (actions: string[], resources: string[], conditions = {}) =>
        role.addToPolicy(new PolicyStatement({ actions, resources, conditions }));
      grantHost(role, served);
      if (config.frontDoor) role.addToPolicy(onItems(flags, ['dynamodb:PutItem'], ['HEARTBEAT']));
      allow(['s3:GetObject'], [`arn:${partition}:s3:::${asset.s3BucketName}/${asset.s3ObjectKey}`]);
      allow(['cloudwatch:PutMetricData'], ['*'], { StringEquals: { 'cloudwatch:namespace': AGENT_NAMESPACE } });
      acknowledgeAll(role, 'PutMetricData knows no resources; it is held to one namespace by a condition.');
      logGroup.grantWrite(role);
      allow(['logs:DescribeLogStreams'], [logGroup.logGroupArn]);
    },
  };
}

/** Without bundling, as in tests and the local emulator, a placeholder is used. */
function archiveFor(scope: Construct, instanceType: string): HostArchive {
  if (!Stack.of(scope).bundlingRequired) {
    return { path: `${repositoryRoot}/package.json`, sha256: '0'.repeat(64) };
  }
  const build = bunBuildFor(new InstanceType(instanceType));
  return packHost(bunBinary(build), `${cacheDirectory}/host-${build}`);
}
