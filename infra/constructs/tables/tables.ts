import {
  AttributeType,
  Billing,
  type ITableV2,
  StreamViewType,
  TableClass,
  type TablePropsV2,
  TableV2,
} from 'aws-cdk-lib/aws-dynamodb';
import { RemovalPolicy } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import type { Config, TableSettings } from '../../config/config.ts';
import { acknowledge } from '../acknowledge.ts';

/**
 * The table of environments, secrets, flags, segments, version replicas, compressed snapshots, a journal of changes, and their history,
 * whose entries expire.
 *
 * Pushes read its stream (new and old images). Point-in-time recovery covers the last 35 days.
 */
export class FlagsTable extends TableV2 {
  /** @param config its `retainData` protects the table from deletion and retains it */
  constructor(scope: Construct, id: string, config: Config) {
    super(scope, id, {
      ...tablePropsOf(config, config.flagsTable),
      dynamoStream: StreamViewType.NEW_AND_OLD_IMAGES,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
    });
  }
}

/** An existing table by the ARN of its stream, which begins with the table's ARN. */
export function existingTable(scope: Construct, id: string, streamArn: string): ITableV2 {
  const [tableArn = ''] = streamArn.split('/stream/');
  return TableV2.fromTableAttributes(scope, id, { tableArn, tableStreamArn: streamArn });
}

/**
 * The table of open connections, one item each, by environment and shard.
 *
 * Items expire by `expiresAt` (epoch seconds). `$disconnect` is best effort, so DynamoDB's TTL deletes the items that it misses.
 */
export class ConnectionsTable extends TableV2 {
  /** @param config its `retainData` protects the table from deletion and retains it */
  constructor(scope: Construct, id: string, config: Config) {
    super(scope, id, tablePropsOf(config, config.connectionsTable));
    acknowledge(
      this,
      'AwsSolutions-DDB3',
      'No backup: connections last two hours, and clients connect and register again.',
    );
  }
}

/**
 * The table of counted evaluations, with one item for each flag and hour, which expires. Its maximum of writes limits the cost of a flood
 * of events. It exists even if nothing is counted. Otherwise no deployment could turn counting off, because other stacks use its name.
 */
export class UsageTable extends TableV2 {
  /** @param config its `retainData` protects the table from deletion and retains it */
  constructor(scope: Construct, id: string, config: Config) {
    const { usageWritesPerSecond: writes } = config;
    super(scope, id, {
      ...tablePropsOf(config, { tableClass: 'standard' }),
      billing: Billing.onDemand({ maxWriteRequestUnits: writes === 'off' ? 1 : writes }),
    });
    acknowledge(this, 'AwsSolutions-DDB3', 'No backup: counts expire, and the events themselves are in the bucket.');
  }
}

/**
 * The settings that the tables share, and the operator's settings for one.
 *
 * They are on demand, so that they cost nothing when idle. Their type is `AWS::DynamoDB::GlobalTable` with one replica: a stack cannot
 * change a table to that type later, and can add replicas to it.
 *
 * Source: https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-dynamodb-globaltable.html
 */
function tablePropsOf(
  config: Pick<Config, 'retainData'>,
  { tableClass, warmReads, warmWrites }: TableSettings,
): TablePropsV2 {
  return {
    partitionKey: { name: 'pk', type: AttributeType.STRING },
    sortKey: { name: 'sk', type: AttributeType.STRING },
    timeToLiveAttribute: 'expiresAt',
    // A rollback could not delete a protected table either.
    removalPolicy: config.retainData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    deletionProtection: config.retainData,
    ...(tableClass === 'infrequent-access' && { tableClass: TableClass.STANDARD_INFREQUENT_ACCESS }),
    ...((warmReads !== undefined || warmWrites !== undefined) && {
      warmThroughput: {
        ...(warmReads !== undefined && { readUnitsPerSecond: warmReads }),
        ...(warmWrites !== undefined && { writeUnitsPerSecond: warmWrites }),
      },
    }),
  };
}
