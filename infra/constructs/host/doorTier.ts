import type { KeyValueStore } from 'aws-cdk-lib/aws-cloudfront';
import type { Instance } from 'aws-cdk-lib/aws-ec2';
import { Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { acknowledgeAll } from '../acknowledge.ts';
import { alarmOn } from '../observability/concern.ts';
import { ownMetric, period } from '../observed.ts';
import { type ServedTables, ServiceFunction } from '../serviceFunction.ts';

/** Adds what watches the machine behind a front door, and what writes the hint for CloudFront: schedule → Tier → EC2, key-value store. */
export function addDoorTier(
  parent: Construct,
  { config, flags }: Pick<ServedTables, 'config' | 'flags'>,
  { instanceId }: Instance,
  { keyValueStoreArn }: KeyValueStore,
): void {
  const scope = new Construct(parent, 'Tier');
  const stack = Stack.of(scope);
  const tier = new ServiceFunction(scope, 'Tier', {
    config,
    entry: 'functions/lambda/tier.ts',
    environment: {
      FLAGS_TABLE: flags.tableName,
      INSTANCE_ID: instanceId,
      EC2_ENDPOINT: `https://ec2.${stack.region}.${stack.urlSuffix}`,
      HINTS_ARN: keyValueStoreArn,
    },
    timeoutSeconds: 60,
    memoryMb: 512,
  });
  tier.allowItems(['dynamodb:GetItem', 'dynamodb:PutItem'], flags, 'TIER');
  tier.allowItems(['dynamodb:GetItem'], flags, 'HEARTBEAT');
  tier.allow(['ec2:DescribeInstanceStatus'], ['*']);
  tier.allow(['cloudfront-keyvaluestore:DescribeKeyValueStore', 'cloudfront-keyvaluestore:PutKey'], [keyValueStoreArn]);
  acknowledgeAll(tier.role, 'ec2:DescribeInstanceStatus has no narrower resource.');
  tier.callEveryMinute(scope);
  if (!config.alarms) return;
  alarmOn(new Construct(scope, 'Alarms'), config, [
    {
      name: 'tier-errors',
      metric: tier.handler.metricErrors({ statistic: 'Sum', period }),
      limit: 0,
      periods: 2,
      outOf: 3,
      meaning:
        'The health of the host’s machine could not be read, or the hint for CloudFront not written. This is retried each minute. The log of tier names the error.',
    },
    {
      name: 'tier-unhealthy',
      metric: ownMetric({ config }, 'tier.unhealthy', 'Sum'),
      limit: 0,
      periods: 3,
      meaning:
        'The machine of the host has been unhealthy for 15 minutes, so new connections go to API Gateway. To see why, run: flags tier. Then look at the host’s dashboard, and start or repair the machine.',
    },
  ]);
}
