import { type ITableV2, StreamViewType, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import type { Config } from '../../config/config.ts';
import { tablePropsOf } from './tableSettings.ts';

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
