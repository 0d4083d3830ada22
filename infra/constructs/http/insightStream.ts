import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { CfnDeliveryStream } from 'aws-cdk-lib/aws-kinesisfirehose';
import { LogGroup, LogStream } from 'aws-cdk-lib/aws-logs';
import { BlockPublicAccess, Bucket, BucketEncryption } from 'aws-cdk-lib/aws-s3';
import { Duration, RemovalPolicy } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { Config } from '../../config/config.ts';
import { acknowledge, acknowledgePattern } from '../acknowledge.ts';
import { retentionOf } from '../retention.ts';
import type { ServiceFunction } from '../serviceFunction.ts';
import { keepDeletionLog } from './deletionLog.ts';

/** Permissions of Firehose to deliver to a bucket. CDK's own construct would grant more. */
const deliveryActions = {
  bucket: ['s3:GetBucketLocation', 's3:ListBucket', 's3:ListBucketMultipartUploads'],
  objects: ['s3:AbortMultipartUpload', 's3:GetObject', 's3:PutObject'],
};

/** See {@link addInsightStream}. */
export type InsightStream = ReturnType<typeof addInsightStream>;

/**
 * Adds the destination of SDK events (evaluations, metrics): a Firehose delivery stream. It collects them for up to five minutes or 5 MB, and
 * writes them as gzipped objects under `events/` into a bucket, where they expire.
 */
export function addInsightStream(parent: Construct, config: Config) {
  const scope = new Construct(parent, 'Insight');
  const removalPolicy = retentionOf(config);
  const bucket = new Bucket(scope, 'Bucket', {
    encryption: BucketEncryption.S3_MANAGED,
    enforceSSL: true,
    blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
    removalPolicy,
    lifecycleRules: [
      {
        expiration: Duration.days(config.insightRetentionDays),
        abortIncompleteMultipartUploadAfter: Duration.days(7),
      },
    ],
    // A bucket that is not empty cannot be deleted.
    autoDeleteObjects: removalPolicy === RemovalPolicy.DESTROY,
  });
  acknowledge(bucket, 'AwsSolutions-S1', 'Only Firehose writes here, and it logs what it cannot deliver.');
  const logGroup = new LogGroup(scope, 'Logs', { retention: config.logRetentionDays, removalPolicy });
  if (removalPolicy === RemovalPolicy.DESTROY) keepDeletionLog(scope, config);
  const logStream = new LogStream(scope, 'Deliveries', { logGroup, removalPolicy });

  // Without aws:SourceAccount, which AWS does not document for Firehose: the stream could fail. A role can be passed to a service only
  // within its own account (https://docs.aws.amazon.com/IAM/latest/UserGuide/id_roles_use_passrole.html).
  const role = new Role(scope, 'Role', { assumedBy: new ServicePrincipal('firehose.amazonaws.com') });
  const statements = [
    new PolicyStatement({ actions: deliveryActions.bucket, resources: [bucket.bucketArn] }),
    new PolicyStatement({ actions: deliveryActions.objects, resources: [bucket.arnForObjects('*')] }),
    new PolicyStatement({ actions: ['logs:PutLogEvents'], resources: [logGroup.logGroupArn] }),
  ];
  const grants = statements.map((statement) => role.addToPrincipalPolicy(statement).policyDependable);

  acknowledgePattern(
    role,
    bucket.arnForObjects('*'),
    'Firehose names its objects by the time; all of this bucket are its own.',
  );

  const stream = new CfnDeliveryStream(scope, 'Stream', {
    deliveryStreamType: 'DirectPut',
    deliveryStreamEncryptionConfigurationInput: { keyType: 'AWS_OWNED_CMK' },
    extendedS3DestinationConfiguration: {
      bucketArn: bucket.bucketArn,
      roleArn: role.roleArn,
      prefix: 'events/',
      errorOutputPrefix: 'errors/',
      compressionFormat: 'GZIP',
      bufferingHints: { intervalInSeconds: 300, sizeInMBs: 5 },
      cloudWatchLoggingOptions: {
        enabled: true,
        logGroupName: logGroup.logGroupName,
        logStreamName: logStream.logStreamName,
      },
    },
  });
  // Firehose checks its permission to write when the stream is created, so the role's policy must exist first.
  for (const grant of grants) if (grant) stream.node.addDependency(grant);
  return {
    /** The delivery stream's name, for `PutRecordBatch`. */
    streamName: stream.ref,
    /** Allows a function to put events on the stream, in batches. */
    allowPut: (sender: ServiceFunction) => sender.allow(['firehose:PutRecordBatch'], [stream.attrArn]),
  };
}
