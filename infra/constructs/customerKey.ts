import { CfnGlobalTable } from 'aws-cdk-lib/aws-dynamodb';
import { ManagedPolicy, Policy, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { CfnDeliveryStream } from 'aws-cdk-lib/aws-kinesisfirehose';
import { CfnLogGroup } from 'aws-cdk-lib/aws-logs';
import { CfnBucket } from 'aws-cdk-lib/aws-s3';
import { CfnTopic } from 'aws-cdk-lib/aws-sns';
import { CfnQueue } from 'aws-cdk-lib/aws-sqs';
import { AspectPriority, Aspects, Stack } from 'aws-cdk-lib/core';
import type { IConstruct } from 'constructs';

/**
 * The permissions for the key that a caller of a service needs, because the service uses the key in the caller's name. Firehose and
 * CloudWatch Logs need none of callers: they use a grant and the key's policy.
 *
 * Sources: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/encryption.usagenotes.html,
 * https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-key-management.html,
 * https://docs.aws.amazon.com/firehose/latest/dev/controlling-access.html
 */
const USES: readonly { readonly service: string; readonly calls: RegExp; readonly actions: readonly string[] }[] = [
  { service: 'dynamodb', calls: /^dynamodb:(?!ListStreams$)/, actions: ['kms:Decrypt'] },
  { service: 'sqs', calls: /^sqs:ReceiveMessage$/, actions: ['kms:Decrypt'] },
  { service: 'sqs', calls: /^sqs:SendMessage$/, actions: ['kms:Decrypt', 'kms:GenerateDataKey'] },
  { service: 's3', calls: /^s3:PutObject$/, actions: ['kms:Decrypt', 'kms:GenerateDataKey'] },
];

/**
 * Encrypts all data below a construct with a customer managed key: tables, queues, buckets, delivery streams, log groups and topics. Each
 * policy below it that allows access to a table, a queue or a bucket also allows the use of the key through that service.
 */
export function encryptAll(scope: IConstruct, keyArn: string): void {
  Aspects.of(scope).add({ visit: (node) => encrypt(node, keyArn) }, { priority: AspectPriority.MUTATING });
}

/** Permission to use a key through a service. */
export function usingKey(keyArn: string, service: string, actions: string[], region: string): PolicyStatement {
  const conditions = { StringEquals: { 'kms:ViaService': `${service}.${region}.amazonaws.com` } };
  return new PolicyStatement({ actions, resources: [keyArn], conditions });
}

interface PolicyJson {
  readonly Statement?: readonly { readonly Action: string | readonly string[] }[];
}

function encrypt(node: IConstruct, keyArn: string): void {
  if (node instanceof CfnGlobalTable) {
    // CDK's own property for the key needs the region, which may depend on the credentials.
    node.sseSpecification = { sseEnabled: true, sseType: 'KMS' };
    node.addPropertyOverride('Replicas.0.SSESpecification.KMSMasterKeyId', keyArn);
  } else if (node instanceof CfnQueue) {
    // CDK's own property would grant the key's use without a condition on the service.
    node.sqsManagedSseEnabled = undefined;
    node.kmsMasterKeyId = keyArn;
  } else if (node instanceof CfnBucket) {
    const byDefault = { sseAlgorithm: 'aws:kms', kmsMasterKeyId: keyArn };
    // With a bucket key, not every object is a request to KMS.
    const rule = { bucketKeyEnabled: true, serverSideEncryptionByDefault: byDefault };
    node.bucketEncryption = { serverSideEncryptionConfiguration: [rule] };
  } else if (node instanceof CfnDeliveryStream) {
    node.deliveryStreamEncryptionConfigurationInput = { keyType: 'CUSTOMER_MANAGED_CMK', keyArn };
  } else if (node instanceof CfnLogGroup) node.kmsKeyId = keyArn;
  else if (node instanceof CfnTopic) node.kmsMasterKeyId = keyArn;
  else if (node instanceof Policy || node instanceof ManagedPolicy) allowKey(node, keyArn);
}

function allowKey(policy: Policy | ManagedPolicy, keyArn: string): void {
  const { Statement: statements = [] } = (policy.document.toJSON() ?? {}) as PolicyJson;
  const calls = statements.flatMap(({ Action }) => Action);
  const { region } = Stack.of(policy);
  const byService = Map.groupBy(
    USES.filter(({ calls: pattern }) => calls.some((call) => pattern.test(call))),
    ({ service }) => service,
  );
  for (const [service, uses] of byService) {
    const actions = [...new Set(uses.flatMap((use) => use.actions))];
    policy.addStatements(usingKey(keyArn, service, actions, region));
  }
}
