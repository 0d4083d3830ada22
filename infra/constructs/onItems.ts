import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';

/** The families of items in the tables, as patterns of their partition keys. */
export type ItemFamily =
  | 'ENV#*'
  | 'JOURNAL#*'
  | 'HISTORY#*'
  | 'VERSION#*'
  | 'PLAN#*'
  | 'DUE'
  | 'GUARD#*'
  | 'HOOK#*'
  | 'SNAPSHOT#*'
  | 'RELAYS'
  | 'SECRET#*'
  | 'ENVIRONMENTS'
  | 'SERVICE'
  | 'TIER'
  | 'HEARTBEAT'
  | 'CONN#*'
  | 'HOSTS'
  | 'HOST#*'
  | 'UNANSWERED#*'
  | 'REVOCATIONS'
  | 'USAGE#*';

/** The actions that read items. */
export const READING = ['dynamodb:GetItem', 'dynamodb:Query'];

/** The items that a reader of environments reads. */
export const ENVIRONMENT_ITEMS = ['ENV#*', 'JOURNAL#*', 'SNAPSHOT#*', 'VERSION#*'] as const satisfies ItemFamily[];

/**
 * Permission for the items of a table with these partition keys.
 *
 * Source: the `dynamodb:LeadingKeys` condition key, which contains the partition keys of a request.
 *
 * @param keys may contain `*`
 */
export function onItems(table: ITableV2, actions: string[], keys: readonly string[]): PolicyStatement {
  return new PolicyStatement({
    actions,
    resources: [table.tableArn],
    conditions: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [...keys] } },
  });
}
