import type { AttributeValue } from '@aws-sdk/client-dynamodb';

/** An item as DynamoDB returns it. */
export type Item = Readonly<Record<string, AttributeValue>>;

/** Values of attributes by name: text, numbers, and those in DynamoDB's form. An undefined value is left out. */
export type Values = Readonly<Record<string, string | number | AttributeValue | undefined>>;

/** The text of an item's attribute, or '' if it is missing. */
export function textIn(item: Item, attribute: string): string {
  return item[attribute]?.S ?? '';
}

/** The number of an item's attribute, or 0 if it is missing. */
export function numberIn(item: Item, attribute: string): number {
  return Number(item[attribute]?.N ?? 0);
}

/** Values in DynamoDB's form. */
export function attributesOf(values: Values): Record<string, AttributeValue> {
  const attributes: Record<string, AttributeValue> = {};
  for (const [name, value] of Object.entries(values)) {
    if (typeof value === 'string') attributes[name] = { S: value };
    else if (typeof value === 'number') attributes[name] = { N: String(value) };
    else if (value !== undefined) attributes[name] = value;
  }
  return attributes;
}
