import { GetItemCommand, paginateQuery } from '@aws-sdk/client-dynamodb';
import { fromItem, type StoredDocument } from './item.ts';
import { keys } from './keys.ts';
import type { Tables } from './table.ts';

/** All flags and segments of an environment, read with strong consistency, in the order of their keys. */
export async function loadDocuments(tables: Tables, envId: string): Promise<StoredDocument[]> {
  const documents: StoredDocument[] = [];
  const pages = paginateQuery(
    { client: tables.client },
    {
      TableName: tables.flags,
      KeyConditionExpression: 'pk = :env',
      ExpressionAttributeValues: { ':env': keys.environment(envId).pk },
      ConsistentRead: true,
    },
  );
  for await (const page of pages) {
    for (const item of page.Items ?? []) {
      const document = fromItem(item);
      if (document) documents.push(document);
    }
  }
  return documents;
}

/** One flag or segment, read with strong consistency. @returns undefined when there is none */
export async function loadDocument(
  tables: Tables,
  envId: string,
  kind: StoredDocument['kind'],
  id: string,
): Promise<StoredDocument | undefined> {
  const Key = kind === 'flag' ? keys.flag(envId, id) : keys.segment(envId, id);
  const { Item } = await tables.client.send(new GetItemCommand({ TableName: tables.flags, Key, ConsistentRead: true }));
  return Item && fromItem(Item);
}
