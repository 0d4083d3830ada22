import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { type IRole, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Stack } from 'aws-cdk-lib/core';
import type { Config } from '../../config/config.ts';
import { ENVIRONMENT_ITEMS, type ItemFamily, itemsUnder } from '../itemsUnder.ts';

/** The resources that a host uses. */
export interface HostResources {
  readonly config: Config;
  readonly flags: ITableV2;
  /** The table for reports of connections. */
  readonly connections?: ITableV2;
  /** Name of the stream for insight events, because the disk of a machine or task does not outlive it. */
  readonly insightStream: string;
  /** Table of counted evaluations. Undefined if nothing is counted. */
  readonly usage: ITableV2 | undefined;
}

/**
 * Grants the permissions of a host, on a machine or as a task. It reads the flags without the history, writes events to one stream, reports
 * to the connections table, and counts evaluations.
 */
export function grantHost(role: IRole, { flags, connections, insightStream, usage }: HostResources): void {
  role.addToPrincipalPolicy(
    new PolicyStatement({
      actions: ['dynamodb:GetItem', 'dynamodb:Query'],
      resources: [flags.tableArn],
      conditions: itemsUnder(...ENVIRONMENT_ITEMS, 'ENVIRONMENTS', 'RELAYS', 'SECRET#*'),
    }),
  );
  const reporting = (table: ITableV2, family: ItemFamily) =>
    role.addToPrincipalPolicy(
      new PolicyStatement({
        actions: ['dynamodb:PutItem', 'dynamodb:DeleteItem'],
        resources: [table.tableArn],
        conditions: itemsUnder(family),
      }),
    );
  reporting(flags, 'HOSTS');
  if (connections) reporting(connections, 'HOST#*');
  const stream = { service: 'firehose', resource: 'deliverystream', resourceName: insightStream };
  role.addToPrincipalPolicy(
    new PolicyStatement({ actions: ['firehose:PutRecordBatch'], resources: [Stack.of(role).formatArn(stream)] }),
  );
  if (!usage) return;
  role.addToPrincipalPolicy(
    new PolicyStatement({
      actions: ['dynamodb:UpdateItem'],
      resources: [usage.tableArn],
      conditions: itemsUnder('USAGE#*'),
    }),
  );
}
