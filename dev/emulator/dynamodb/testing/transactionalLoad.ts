import { type AttributeValue, type DynamoDBClient, TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb';
import type { ChangeRecord } from '../changeRecord.ts';
import { getItem, key } from './client.ts';

/** The table that the load writes to. */
export const loadTable = 'Load';

/** Number of items that a transaction inserts besides its writer's counter. */
const partsPerTransaction = 8;

// A batch has to span several 32 KB blocks of the write-ahead log, so that it can be torn.
const payload = 'x'.repeat(6_000);

/** The last transaction of a writer that is stored. */
export async function storedCount(client: DynamoDBClient, writer: number): Promise<number> {
  return Number((await getItem(client, loadTable, key(`COUNTER#${writer}`)))?.['n']?.N ?? 0);
}

/** Transaction `n` (from 1) of a writer: moves its counter from n - 1 to n and inserts the parts of n. */
export async function writeTransaction(client: DynamoDBClient, writer: number, n: number): Promise<void> {
  await client.send(
    new TransactWriteItemsCommand({
      TransactItems: [
        ...Array.from({ length: partsPerTransaction }, (_, part) => ({
          Put: {
            TableName: loadTable,
            Item: { ...key(`TX#${writer}#${n}`, String(part)), payload: { S: payload } },
            ConditionExpression: 'attribute_not_exists(pk)',
          },
        })),
        {
          Update: {
            TableName: loadTable,
            Key: key(`COUNTER#${writer}`),
            UpdateExpression: 'SET n = :n',
            ConditionExpression: n === 1 ? 'attribute_not_exists(n)' : 'n = :before',
            ExpressionAttributeValues: { ':n': { N: String(n) }, ...(n > 1 && { ':before': { N: String(n - 1) } }) },
          },
        },
      ],
    }),
  );
}

/** The key of an item, in one string. */
export function nameOf(item: Record<string, AttributeValue>): string {
  return `${item['pk']?.S}/${item['sk']?.S}`;
}

/** The items that must be there, and no others, when these many transactions of each writer are stored. */
export function expectedItems(counts: number[]): string[] {
  const names = counts.flatMap((count, writer) => [
    ...(count > 0 ? [`COUNTER#${writer}/-`] : []),
    ...Array.from({ length: count }, (_, n) => partNames(writer, n + 1)).flat(),
  ]);
  return names.sort();
}

/** The expected change log of these transactions: one complete group per transaction, which ends with its counter's record. */
export function expectedGroups(counts: number[]): string[] {
  return counts
    .flatMap((count, writer) =>
      Array.from({ length: count }, (_, n) => [...partNames(writer, n + 1), `COUNTER#${writer}=${n + 1}`].join(' ')),
    )
    .sort();
}

/** The groups in the log, in its order. A record without its counter's record at the end stands as a group of its own. */
export function groupsOf(records: ChangeRecord[]): string[] {
  const groups: string[] = [];
  let group: string[] = [];
  for (const { dynamodb } of records) {
    const name = nameOf(dynamodb.Keys as Record<string, AttributeValue>);
    if (!name.startsWith('COUNTER#')) {
      group.push(name);
      continue;
    }
    groups.push([...group, `${name.replace('/-', '')}=${dynamodb.NewImage?.['n']?.N}`].join(' '));
    group = [];
  }
  return group.length > 0 ? [...groups, ...group] : groups;
}

function partNames(writer: number, n: number): string[] {
  return Array.from({ length: partsPerTransaction }, (_, part) => `TX#${writer}#${n}/${part}`);
}
