import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { type IRole, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Stack } from 'aws-cdk-lib/core';
import type { Config } from '../../config/config.ts';
import type { ApiUris } from '../flagwireBase.ts';
import { ENVIRONMENT_ITEMS, itemsUnder, type PolicyConditions, READING } from '../itemsUnder.ts';

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
  const allow = (actions: string[], resource: string, conditions: PolicyConditions = {}) =>
    role.addToPrincipalPolicy(new PolicyStatement({ actions, resources: [resource], conditions }));
  const report = ['dynamodb:PutItem', 'dynamodb:DeleteItem'];
  allow(READING, flags.tableArn, itemsUnder(...ENVIRONMENT_ITEMS, 'ENVIRONMENTS', 'RELAYS', 'SECRET#*'));
  allow(report, flags.tableArn, itemsUnder('HOSTS'));
  if (connections) allow(report, connections.tableArn, itemsUnder('HOST#*'));
  const stream = { service: 'firehose', resource: 'deliverystream', resourceName: insightStream };
  allow(['firehose:PutRecordBatch'], Stack.of(role).formatArn(stream));
  if (usage) allow(['dynamodb:UpdateItem'], usage.tableArn, itemsUnder('USAGE#*'));
}
