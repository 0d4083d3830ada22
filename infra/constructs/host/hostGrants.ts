import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { type IRole, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Stack } from 'aws-cdk-lib/core';
import type { Config } from '../../config/config.ts';
import type { ApiUris } from '../flagwireBase.ts';
import { ENVIRONMENT_ITEMS, onItems, READING } from '../onItems.ts';

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
  /** Where the front door leads besides the host. */
  readonly apiUris: ApiUris;
}

/**
 * Grants the permissions of a host, on a machine or as a task. It reads the flags without the history, writes events to one stream, reports
 * to the connections table, and counts evaluations.
 */
export function grantHost(role: IRole, { flags, connections, insightStream, usage }: HostResources): void {
  const report = ['dynamodb:PutItem', 'dynamodb:DeleteItem'];
  const stream = { service: 'firehose', resource: 'deliverystream', resourceName: insightStream };
  const statements = [
    onItems(flags, READING, [...ENVIRONMENT_ITEMS, 'ENVIRONMENTS', 'RELAYS', 'SECRET#*']),
    onItems(flags, report, ['HOSTS']),
    ...(connections ? [onItems(connections, report, ['HOST#*'])] : []),
    new PolicyStatement({ actions: ['firehose:PutRecordBatch'], resources: [Stack.of(role).formatArn(stream)] }),
    ...(usage ? [onItems(usage, ['dynamodb:UpdateItem'], ['USAGE#*'])] : []),
  ];
  for (const statement of statements) role.addToPrincipalPolicy(statement);
}
