import { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import type { Config } from '../../config/config.ts';
import { acknowledge } from '../acknowledge.ts';
import { tablePropsOf } from './tableSettings.ts';

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
