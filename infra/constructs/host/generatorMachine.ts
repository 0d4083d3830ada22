import { type InstanceType, UserData } from 'aws-cdk-lib/aws-ec2';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { BlockPublicAccess, Bucket, BucketEncryption } from 'aws-cdk-lib/aws-s3';
import { Duration, RemovalPolicy } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { Config } from '../../config/config.ts';
import { acknowledge, acknowledgePattern } from '../acknowledge.ts';
import { keepDeletionLog } from '../http/deletionLog.ts';
import type { HostNetwork } from './hostNetwork.ts';
import { Machine } from './machine.ts';

/** Disk of the load generator, in GB. */
export const GENERATOR_DISK_GB = 20;

/** Settings of the load generator. */
interface GeneratorMachineProps {
  readonly network: HostNetwork;
  readonly instanceType: InstanceType;
  readonly image: string | undefined;
  readonly config: Config;
}

/** Prefixes of the objects that `npm run loadtest -- compare` uploads for the machine, and of its results. */
export const LOAD_FOLDERS = { jobs: 'jobs/', results: 'results/' } as const;

/**
 * A machine in the host's network that generates load. It has Node from the system's packages, and higher limits of files and ports. Its
 * bucket holds the programs and results, which expire after a day and are deleted with the stack.
 */
export class GeneratorMachine extends Construct {
  readonly machine: Machine;
  readonly bucket: Bucket;

  constructor(scope: Construct, id: string, { network, instanceType, image, config }: GeneratorMachineProps) {
    super(scope, id);
    const userData = UserData.forLinux();
    this.machine = new Machine(this, 'Machine', {
      vpc: network.vpc,
      securityGroup: network.generator,
      instanceType,
      image,
      userData,
      diskGb: GENERATOR_DISK_GB,
    });
    this.bucket = new Bucket(this, 'Bucket', {
      encryption: BucketEncryption.S3_MANAGED,
      enforceSSL: true,
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      removalPolicy: RemovalPolicy.DESTROY,
      autoDeleteObjects: true,
      lifecycleRules: [{ expiration: Duration.days(1), abortIncompleteMultipartUploadAfter: Duration.days(1) }],
    });
    keepDeletionLog(this, config);
    acknowledge(this.bucket, 'AwsSolutions-S1', 'It holds what a load test runs and measured, for a day at most.');
    const { role } = this.machine;
    for (const [action, folder] of [
      ['s3:GetObject', LOAD_FOLDERS.jobs],
      ['s3:PutObject', LOAD_FOLDERS.results],
    ] as const) {
      const resource = this.bucket.arnForObjects(`${folder}*`);
      role.addToPrincipalPolicy(new PolicyStatement({ actions: [action], resources: [resource] }));
      acknowledgePattern(role, resource, 'Each run has objects of its own in this folder.');
    }
    userData.addCommands(
      'set -euo pipefail',
      'echo "net.ipv4.ip_local_port_range = 1024 65535" > /etc/sysctl.d/90-load.conf && sysctl --quiet --load /etc/sysctl.d/90-load.conf',
      'printf "* - nofile 1000000\\n" > /etc/security/limits.d/90-load.conf',
      'dnf install --assumeyes --quiet git tar gzip nodejs24 nodejs24-npm',
    );
  }
}
