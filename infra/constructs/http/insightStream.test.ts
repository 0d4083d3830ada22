import { expect, test } from '@jest/globals';
import {
  expectResource,
  onlyResourceOf,
  resourcesOf,
  templateOf,
  templateWith,
} from '../../stacks/testing/templates.ts';

test('events are put directly on an encrypted stream and land, gzipped, in the bucket', () => {
  expectResource('Serverless', 'AWS::KinesisFirehose::DeliveryStream', {
    DeliveryStreamType: 'DirectPut',
    DeliveryStreamEncryptionConfigurationInput: { KeyType: 'AWS_OWNED_CMK' },
    ExtendedS3DestinationConfiguration: {
      CompressionFormat: 'GZIP',
      Prefix: 'events/',
      ErrorOutputPrefix: 'errors/',
      CloudWatchLoggingOptions: { Enabled: true },
    },
  });
});

test('the stream is made after its role may write, which Firehose checks', () => {
  const template = templateOf('Serverless');
  const { DependsOn = [] } = onlyResourceOf(template, 'AWS::KinesisFirehose::DeliveryStream').template;
  expect(DependsOn.map((id) => template.Resources[id]?.Type)).toContain('AWS::IAM::Policy');
});

test('the bucket is encrypted, closed to the public and to plain HTTP', () => {
  expectResource('Serverless', 'AWS::S3::Bucket', {
    BucketEncryption: {
      ServerSideEncryptionConfiguration: [{ ServerSideEncryptionByDefault: { SSEAlgorithm: 'AES256' } }],
    },
    PublicAccessBlockConfiguration: {
      BlockPublicAcls: true,
      BlockPublicPolicy: true,
      IgnorePublicAcls: true,
      RestrictPublicBuckets: true,
    },
  });
});

test.each([
  [{}, 365],
  [{ insightRetentionDays: 30 }, 30],
])('with settings %j the bucket keeps events for %d days, and no half-written object', (settings, days) => {
  const { properties } = onlyResourceOf(templateWith('Serverless', settings), 'AWS::S3::Bucket');
  expect(properties['LifecycleConfiguration']).toEqual({
    Rules: [{ Status: 'Enabled', ExpirationInDays: days, AbortIncompleteMultipartUpload: { DaysAfterInitiation: 7 } }],
  });
});

test.each([
  ['dev', 'Delete', 1],
  ['prod', 'RetainExceptOnCreate', 0],
] as const)('in stage %s the bucket has deletion policy %s; resources that empty it: %d', (stage, policy, emptying) => {
  const template = templateOf('Serverless', stage);
  expect(onlyResourceOf(template, 'AWS::S3::Bucket').template.DeletionPolicy).toBe(policy);
  expect(resourcesOf(template, 'Custom::S3AutoDeleteObjects')).toHaveLength(emptying);
});
