import type { AttributeValue } from '@aws-sdk/client-dynamodb';

/** An item as DynamoDB returns it. */
export type Item = Readonly<Record<string, AttributeValue>>;

/** The text of an item's attribute, or '' if it is missing. */
export function textIn(item: Item, attribute: string): string {
  return item[attribute]?.S ?? '';
}

/** The number of an item's attribute, or 0 if it is missing. */
export function numberIn(item: Item, attribute: string): number {
  return Number(item[attribute]?.N ?? 0);
}
