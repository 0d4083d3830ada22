import { GetItemCommand, paginateQuery } from '@aws-sdk/client-dynamodb';
import { fromItem, type StoredDocument } from './item.ts';
import { loadChanges } from './journal.ts';
import { keys } from './keys.ts';
import type { Table } from './table.ts';
import { readVersion, type Version } from './version.ts';

/** All flags and segments of an environment, read with strong consistency, in the order of their keys. */
export async function loadDocuments(table: Table, envId: string): Promise<StoredDocument[]> {
  const documents: StoredDocument[] = [];
  const pages = paginateQuery(
    { client: table.client },
    {
      TableName: table.name,
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
  table: Table,
  envId: string,
  kind: StoredDocument['kind'],
  id: string,
): Promise<StoredDocument | undefined> {
  const Key = kind === 'flag' ? keys.flag(envId, id) : keys.segment(envId, id);
  const { Item } = await table.client.send(new GetItemCommand({ TableName: table.name, Key, ConsistentRead: true }));
  return Item && fromItem(Item);
}

/** Flags and segments, to whoever only reads them. Reads are strongly consistent. */
export class DocumentReader {
  protected readonly table: Table;

  constructor(table: Table) {
    this.table = table;
  }

  /** Where an environment stands: all acknowledged writes are in it. @throws {NotFound} when there is no such environment */
  version(envId: string): Promise<Version> {
    return readVersion(this.table, envId);
  }

  /** All flags and segments of an environment, in the order of their keys. */
  load(envId: string): Promise<StoredDocument[]> {
    return loadDocuments(this.table, envId);
  }

  /** One flag or segment. @returns undefined when there is none */
  find(envId: string, kind: StoredDocument['kind'], id: string): Promise<StoredDocument | undefined> {
    return loadDocument(this.table, envId, kind, id);
  }

  /** What was written after one version and up to another; see {@link loadChanges}. */
  changes(envId: string, after: number, upTo: number): Promise<StoredDocument[] | undefined> {
    return loadChanges(this.table, envId, after, upTo);
  }
}
