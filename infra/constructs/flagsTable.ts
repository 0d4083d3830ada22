import { AttributeType, BillingMode, StreamViewType, Table } from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import type { Config } from '../config/config.ts';
import { retentionOf } from './retention.ts';
import { tablePropsOf } from './tableSettings.ts';

/**
 * The table of environments, secrets, flags, segments, version replicas, a journal of changes and their history, whose entries expire.
 *
 * Its stream (new and old images) is what pushes start from; point-in-time recovery covers the last 35 days.
 * On-demand, so that it costs nothing at rest.
 */
export class FlagsTable extends Table {
  /** @param config its stage `prod` protects the table from deletion and retains it */
  constructor(scope: Construct, id: string, { stage, flagsTable }: Config) {
    super(scope, id, {
      partitionKey: { name: 'pk', type: AttributeType.STRING },
      sortKey: { name: 'sk', type: AttributeType.STRING },
      billingMode: BillingMode.PAY_PER_REQUEST,
      stream: StreamViewType.NEW_AND_OLD_IMAGES,
      timeToLiveAttribute: 'expiresAt',
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      ...tablePropsOf(flagsTable),
      ...retentionOf(stage),
    });
  }
}
