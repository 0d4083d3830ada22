/** IAM conditions: operator → condition key → values. */
export type PolicyConditions = { [operator: string]: { [key: string]: string[] } };

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
 * IAM conditions that restrict a DynamoDB permission to items whose partition key is of one of these families.
 *
 * Source: the `dynamodb:LeadingKeys` condition key, which contains the partition keys of a request.
 */
export function itemsUnder(...families: readonly ItemFamily[]): PolicyConditions {
  return { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [...families] } };
}
