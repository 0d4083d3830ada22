import type { KeyValueStore } from 'aws-cdk-lib/aws-cloudfront';
import type { Instance } from 'aws-cdk-lib/aws-ec2';
import { Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { FrontDoorSettings } from '../../config/frontDoor.ts';
import { acknowledgeAll } from '../acknowledge.ts';
import { alarmOn } from '../observability/concern.ts';
import { ownMetric, period } from '../observed.ts';
import { type ServedTables, ServiceFunction } from '../serviceFunction.ts';

/** Starts and stops the machine of the host behind a front door, and writes the hint for CloudFront: schedule → Tier → EC2, key-value store. */
export class DoorTier extends Construct {
  constructor(
    scope: Construct,
    id: string,
    { config, flags, connections }: ServedTables,
    { instanceId }: Instance,
    { startAt, stopAt }: FrontDoorSettings,
    { keyValueStoreArn }: KeyValueStore,
  ) {
    super(scope, id);
    const stack = Stack.of(this);
    const tier = new ServiceFunction(this, 'Tier', {
      config,
      entry: 'functions/lambda/tier.ts',
      environment: {
        FLAGS_TABLE: flags.tableName,
        CONNECTIONS_TABLE: connections.tableName,
        INSTANCE_ID: instanceId,
        EC2_ENDPOINT: `https://ec2.${stack.region}.${stack.urlSuffix}`,
        HINTS_ARN: keyValueStoreArn,
        START_AT: String(startAt),
        STOP_AT: String(stopAt),
        ...(config.eventBus !== 'off' && { EVENT_BUS: config.eventBus }),
      },
      timeoutSeconds: 60,
      memoryMb: 512,
    });
    tier.allowItems(['dynamodb:GetItem', 'dynamodb:PutItem'], flags, 'TIER');
    tier.allowItems(['dynamodb:GetItem'], flags, 'HEARTBEAT');
    tier.allowItems(['dynamodb:Query'], flags, 'ENVIRONMENTS', 'HOSTS');
    tier.allowItems(['dynamodb:Query'], connections, 'CONN#*', 'HOST#*');
    const machine = { service: 'ec2', resource: 'instance', resourceName: instanceId };
    tier.allow(['ec2:StartInstances', 'ec2:StopInstances'], [stack.formatArn(machine)]);
    tier.allow(['ec2:DescribeInstances', 'ec2:DescribeInstanceStatus'], ['*']);
    tier.allow(
      ['cloudfront-keyvaluestore:DescribeKeyValueStore', 'cloudfront-keyvaluestore:PutKey'],
      [keyValueStoreArn],
    );
    if (config.eventBus !== 'off') tier.allowEvents(config.eventBus);
    acknowledgeAll(tier.role, 'ec2:DescribeInstances and ec2:DescribeInstanceStatus have no narrower resource.');
    tier.callEveryMinute(this);
    if (!config.alarms) return;
    alarmOn(new Construct(this, 'Alarms'), config, [
      {
        name: 'tier-errors',
        metric: tier.handler.metricErrors({ statistic: 'Sum', period }),
        limit: 0,
        periods: 2,
        outOf: 3,
        meaning:
          'The tier could not be decided, the host’s machine not started or stopped, or the hint for CloudFront not written. This is retried each minute. The log of tier names the error. For InsufficientInstanceCapacity, deploy another host.instanceType or host.availabilityZones.',
      },
      {
        name: 'tier-stuck',
        metric: ownMetric({ config }, 'tier.stuck', 'Sum'),
        limit: 0,
        periods: 3,
        meaning: `API Gateway has had more than ${startAt} connections for over two hours, although the host is wanted. Look at the host’s dashboard: it may not run, refuse handshakes, or be full. SDKs may use API Gateway’s own address. To see where connections are, run: flags tier.`,
      },
    ]);
  }
}
