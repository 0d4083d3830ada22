import { GetItemCommand, paginateQuery, type QueryCommandInput } from '@aws-sdk/client-dynamodb';
import type { Item } from './attributes.ts';
import type { Key } from './keys.ts';
import type { Table } from './table.ts';

/**
 * Reads one item, by default with strong consistency.
 *
 * @returns undefined if it does not exist
 */
export async function readItem(
  { client, name: TableName }: Table,
  Key: Key,
  { ConsistentRead = true } = {},
): Promise<Item | undefined> {
  const { Item } = await client.send(new GetItemCommand({ TableName, Key, ConsistentRead }));
  return Item;
}

/**
 * Reads the items under a partition key, page by page, ordered by sort key. By default with strong consistency.
 *
 * @param more further parameters of the query
 */
export async function* pagesUnder(
  { client, name: TableName }: Table,
  pk: Key['pk'],
  { KeyConditionExpression = 'pk = :pk', ExpressionAttributeValues, ...more }: Partial<QueryCommandInput> = {},
): AsyncGenerator<readonly Item[]> {
  const values = { ':pk': pk, ...ExpressionAttributeValues };
  const query = { ConsistentRead: true, ...more, TableName, KeyConditionExpression, ExpressionAttributeValues: values };
  for await (const { Items = [] } of paginateQuery({ client }, query)) yield Items;
}
