import { CfnOutput, CrossStackReferences, ReferenceStrength, Stack, type StackProps } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import type { Config } from '../config/config.ts';
import { deploymentName } from '../config/deploymentName.ts';
import { propsOf } from '../config/props.ts';
import { FlagwireTables, tablesPropsOf } from '../constructs/flagwireTables.ts';

/** The data that remains when the architecture changes: the flags and the connections. */
export class DataStack extends Stack {
  readonly tables: FlagwireTables;

  constructor(scope: Construct, id: string, config: Config, props: StackProps) {
    super(scope, id, props);
    const stackNames = ['Data', 'Serverless'].map((stack) => `${deploymentName(config)}-${stack}`);
    this.tables = new FlagwireTables(this, 'Default', { ...tablesPropsOf(propsOf(this, config)), stackNames });
    const { flags, connections, own, ownUsage, mailTopic } = this.tables;
    // An export in use cannot be deleted. Without alarmEmail, this topic is deleted before the other stacks are deployed.
    if (mailTopic) CrossStackReferences.of(mailTopic).produce(ReferenceStrength.WEAK);
    new CfnOutput(this, 'FlagsTableName', { value: flags.tableName });
    new CfnOutput(this, 'ConnectionsTableName', { value: connections.tableName });
    new CfnOutput(this, 'FlagsCli', {
      value: `FLAGS_TABLE=${flags.tableName} npm run flags -- env list`,
      description: 'Lists the environments of this table; run it with credentials for this account',
    });
    new CfnOutput(this, 'WebhookUri', {
      value: this.tables.webhookUrl,
      description: 'Base URL of the webhooks of plans',
    });
    // Existing stacks import these until they are deployed with another table, or without counts.
    for (const each of [own.tableName, own.tableArn, own.tableStreamArn, ownUsage.tableName, ownUsage.tableArn])
      this.exportValue(each);
  }
}
