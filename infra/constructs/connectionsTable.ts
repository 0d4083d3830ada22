import { AttributeType, BillingMode, Table } from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import type { Stage } from '../config.ts';
import { retentionOf } from './retention.ts';

/**
 * The table of open connections, one item each, by environment and shard.
 *
 * Items expire by `expiresAt` (epoch seconds): `$disconnect` is best effort, so DynamoDB's TTL collects what it misses.
 * No backup: clients reconnect and register again.
 */
export class ConnectionsTable extends Table {
  /** @param stage `prod` protects the table from deletion and retains it */
  constructor(scope: Construct, id: string, stage: Stage) {
    super(scope, id, {
      partitionKey: { name: 'pk', type: AttributeType.STRING },
      sortKey: { name: 'sk', type: AttributeType.STRING },
      billingMode: BillingMode.PAY_PER_REQUEST,
      timeToLiveAttribute: 'expiresAt',
      ...retentionOf(stage),
    });
  }
}
