import { GetItemCommand, paginateQuery, type QueryCommandInput } from '@aws-sdk/client-dynamodb';
import type { Item } from './attributes.ts';
import type { Key } from './keys.ts';
import type { Table } from './table.ts';

/**
 * One item, read with strong consistency unless told otherwise.
 *
 * @returns undefined when there is none
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
 * The items under a partition key, read with strong consistency unless told otherwise, page by page, in the order of their
 * sort keys.
 *
 * @param more what else the query says
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
