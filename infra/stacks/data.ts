import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import type { Config } from '../config/config.ts';
import { deploymentName } from '../config/deploymentName.ts';
import { ConnectionsTable } from '../constructs/connectionsTable.ts';
import { existingTable, FlagsTable } from '../constructs/flagsTable.ts';
import { OperatorPolicies } from '../constructs/operatorPolicies.ts';

/** What outlives a change of architecture: the flags, and the connections. */
export class DataStack extends Stack {
  readonly flags: ITableV2;
  readonly connections: ITableV2;

  constructor(scope: Construct, id: string, config: Config, props: StackProps) {
    super(scope, id, props);
    // The casts: CDK's own classes do not fit its interfaces under exactOptionalPropertyTypes.
    const own = new FlagsTable(this, 'Flags', config) as ITableV2;
    this.flags = this.#adopt(config) ?? own;
    this.connections = new ConnectionsTable(this, 'Connections', config) as ITableV2;

    const { operatorPolicies } = config;
    if (operatorPolicies) {
      const deployment = deploymentName(config);
      new OperatorPolicies(this, 'Operators', this, { ...operatorPolicies, deployment });
    }

    new CfnOutput(this, 'FlagsTableName', { value: this.flags.tableName });
    new CfnOutput(this, 'ConnectionsTableName', { value: this.connections.tableName });
    new CfnOutput(this, 'FlagsCli', {
      value: `FLAGS_TABLE=${this.flags.tableName} npm run flags -- env list`,
      description: 'Lists the environments of this table; run it with credentials for this account',
    });
    // Stacks that stand import these until they are deployed with another table.
    for (const each of [own.tableName, own.tableArn, own.tableStreamArn]) this.exportValue(each);
  }

  /** The table that is to be used in place of the stack's own. */
  #adopt({ flagsTable: { existingStreamArn } }: Config): ITableV2 | undefined {
    return existingStreamArn === undefined ? undefined : existingTable(this, 'ExistingFlags', existingStreamArn);
  }
}
