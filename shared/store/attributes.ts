import type { AttributeValue } from '@aws-sdk/client-dynamodb';

/** An item as DynamoDB gives it. */
export type Item = Readonly<Record<string, AttributeValue>>;

/** The text of an item's attribute; empty where it has none. */
export function textIn(item: Item, attribute: string): string {
  return item[attribute]?.S ?? '';
}

/** The number of an item's attribute; 0 where it has none. */
export function numberIn(item: Item, attribute: string): number {
  return Number(item[attribute]?.N ?? 0);
}
