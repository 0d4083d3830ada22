import { Billing, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import type { Config } from '../../config/config.ts';
import { acknowledge } from '../acknowledge.ts';
import { tablePropsOf } from './tableSettings.ts';

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
