import type { QueryCommandInput } from '@aws-sdk/client-dynamodb';
import type { Item } from './attributes.ts';
import type { Key } from './keys.ts';
import type { ReadTable } from './tableRequests.ts';

/**
 * Reads one item, by default with strong consistency.
 *
 * @returns undefined if it does not exist
 */
export async function readItem(
  { client, name: TableName }: ReadTable,
  Key: Key,
  { ConsistentRead = true } = {},
): Promise<Item | undefined> {
  const { Item } = await client.getItem({ TableName, Key, ConsistentRead });
  return Item;
}

/** The parameters of a query that reads only some attributes. */
export function onlyAttributes(names: readonly string[]) {
  return {
    Select: 'SPECIFIC_ATTRIBUTES',
    ProjectionExpression: names.map((each) => `#${each}`).join(', '),
    ExpressionAttributeNames: Object.fromEntries(names.map((each) => [`#${each}`, each])),
  } as const;
}

/** The parameters of a query for sort keys before or after one, or for this one. */
export function sortKeys(comparison: '<' | '=' | '>' | '>=', sk: Key['sk']) {
  return { KeyConditionExpression: `pk = :pk AND sk ${comparison} :sk`, ExpressionAttributeValues: { ':sk': sk } };
}

/** The parameters of a query for the sort keys between two, both included. */
export function sortKeysBetween(first: Key['sk'], last: Key['sk']) {
  const KeyConditionExpression = 'pk = :pk AND sk BETWEEN :first AND :last';
  return { KeyConditionExpression, ExpressionAttributeValues: { ':first': first, ':last': last } };
}

/**
 * Reads the items under a partition key, page by page, ordered by sort key. By default with strong consistency.
 *
 * @param more further parameters of the query
 */
export async function* pagesUnder(
  { client, name: TableName }: ReadTable,
  pk: Key['pk'],
  { KeyConditionExpression = 'pk = :pk', ExpressionAttributeValues, ...more }: Partial<QueryCommandInput> = {},
): AsyncGenerator<readonly Item[]> {
  const values = { ':pk': pk, ...ExpressionAttributeValues };
  const query = { ConsistentRead: true, ...more, TableName, KeyConditionExpression, ExpressionAttributeValues: values };
  let page = await client.query(query);
  for (; page.LastEvaluatedKey; page = await client.query({ ...query, ExclusiveStartKey: page.LastEvaluatedKey }))
    yield page.Items ?? [];
  yield page.Items ?? [];
}

/** The items of {@link pagesUnder}, one after another. A page is read when all items of the one before it are used. */
export async function* itemsUnder(...query: Parameters<typeof pagesUnder>): AsyncGenerator<Item> {
  for await (const page of pagesUnder(...query)) yield* page;
}

/** Reads all items under a partition key, as {@link pagesUnder}. */
export async function readItems(...query: Parameters<typeof pagesUnder>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of itemsUnder(...query)) items.push(item);
  return items;
}
