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
import { omitUndefined } from '../../../shared/runtime/omitUndefined.ts';
import type { Config, TableSettings } from '../../config/config.ts';
import { acknowledge } from '../acknowledge.ts';

/**
 * Adds the table of environments, secrets, flags, segments, version replicas, compressed snapshots, a journal of changes, and their history,
 * whose entries expire.
 *
 * Pushes read its stream (new and old images). Point-in-time recovery covers the last 35 days.
 */
export function addFlagsTable(scope: Construct, config: Config): ITableV2 {
  return addTable(scope, 'Flags', config, config.flagsTable, {
    dynamoStream: StreamViewType.NEW_AND_OLD_IMAGES,
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
  });
}

/** An existing table by the ARN of its stream, which begins with the table's ARN. */
export function existingTable(scope: Construct, id: string, streamArn: string): ITableV2 {
  const [tableArn = ''] = streamArn.split('/stream/');
  return TableV2.fromTableAttributes(scope, id, { tableArn, tableStreamArn: streamArn });
}

/**
 * Adds the table of open connections, one item each, by environment and shard.
 *
 * Items expire by `expiresAt` (epoch seconds). `$disconnect` is best effort, so DynamoDB's TTL deletes the items that it misses.
 */
export function addConnectionsTable(scope: Construct, config: Config): ITableV2 {
  const table = addTable(scope, 'Connections', config, config.connectionsTable);
  const why = 'No backup: connections last two hours, and clients connect and register again.';
  acknowledge(table, 'AwsSolutions-DDB3', why);
  return table;
}

/**
 * Adds the table of counted evaluations, with one item for each flag and hour, which expires. Its maximum of writes limits the cost of a
 * flood of events. It exists even if nothing is counted. Otherwise no deployment could turn counting off, because other stacks use its name.
 */
export function addUsageTable(scope: Construct, config: Config): ITableV2 {
  const { usageWritesPerSecond: writes } = config;
  const billing = Billing.onDemand({ maxWriteRequestUnits: writes === 'off' ? 1 : writes });
  const table = addTable(scope, 'Usage', config, { tableClass: 'standard' }, { billing });
  acknowledge(table, 'AwsSolutions-DDB3', 'No backup: counts expire, and the events themselves are in the bucket.');
  return table;
}

/**
 * Adds a table with the settings that all share, and the operator's settings for it.
 *
 * It is on demand, so that it costs nothing when idle. Its type is `AWS::DynamoDB::GlobalTable` with one replica: a stack cannot change a
 * table to that type later, and can add replicas to it.
 *
 * Source: https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-dynamodb-globaltable.html
 */
function addTable(
  scope: Construct,
  id: string,
  { retainData }: Config,
  { tableClass, warmReads, warmWrites }: TableSettings,
  more: Partial<TablePropsV2> = {},
): ITableV2 {
  const warmThroughput = omitUndefined({ readUnitsPerSecond: warmReads, writeUnitsPerSecond: warmWrites });
  const table = new TableV2(scope, id, {
    partitionKey: { name: 'pk', type: AttributeType.STRING },
    sortKey: { name: 'sk', type: AttributeType.STRING },
    timeToLiveAttribute: 'expiresAt',
    // A rollback could not delete a protected table either.
    removalPolicy: retainData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    deletionProtection: retainData,
    ...(tableClass === 'infrequent-access' && { tableClass: TableClass.STANDARD_INFREQUENT_ACCESS }),
    ...(Object.keys(warmThroughput).length > 0 && { warmThroughput }),
    ...more,
  });
  // The cast: CDK's own classes do not fit its interfaces under exactOptionalPropertyTypes.
  return table as ITableV2;
}
