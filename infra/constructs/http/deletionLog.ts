import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { type CfnResource, RemovalPolicy, Stack } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import type { Config } from '../../config/config.ts';

/** CDK's name for the function that empties buckets (`autoDeleteObjects`) before their deletion: one function per stack. */
const providerId = 'Custom::S3AutoDeleteObjectsCustomResourceProvider';

/**
 * Gives the function that empties a stack's buckets a log group of the stack. By default, the function creates one that is never deleted
 * and whose entries never expire. CDK has no setting for it.
 *
 * @throws Error if the stack empties no bucket
 */
export function keepDeletionLog(scope: Construct, { logRetentionDays }: Config): void {
  const handler = Stack.of(scope).node.findChild(providerId).node.findChild('Handler') as CfnResource;
  const { logGroupName } = new LogGroup(scope, 'DeletionLogs', {
    retention: logRetentionDays,
    removalPolicy: RemovalPolicy.DESTROY,
  });
  handler.addPropertyOverride('LoggingConfig.LogGroup', logGroupName);
}
