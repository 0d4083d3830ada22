import { DeleteItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { textIn } from '../table/attributes.ts';
import { dueRevocationKey, type Key } from '../table/keys.ts';
import { pagesUnder } from '../table/read.ts';
import { TableAccess } from '../table/tableAccess.ts';
import { expiryOf } from './shardProgress.ts';

/** A revoked secret. The rest is the caller's. */
interface StoredRevocation {
  readonly envId: string;
  readonly secretId: string;
}

/** Revoked secrets whose connections must be closed later, in the connections table. */
export class DueRevocations extends TableAccess {
  /** Stores a revocation. It expires after the connections of its time have ended. @param dueAt unix milliseconds */
  async store<T extends StoredRevocation>(revocation: T, dueAt: number): Promise<void> {
    const { client, name: TableName } = this.table;
    const Item = {
      ...dueRevocationKey(dueAt, revocation.envId, revocation.secretId),
      revocation: { S: JSON.stringify(revocation) },
      expiresAt: { N: String(expiryOf(dueAt)) },
    };
    await client.send(new PutItemCommand({ TableName, Item }));
  }

  /** Hands over the revocations that are due, oldest first, and removes each afterwards. */
  async take<T extends StoredRevocation>(handOver: (revocation: T) => Promise<void>): Promise<void> {
    const { client, name: TableName, effects } = this.table;
    const { pk, sk } = dueRevocationKey(effects.now() + 1, '', '');
    const pages = pagesUnder(this.table, pk, {
      KeyConditionExpression: 'pk = :pk AND sk < :end',
      ExpressionAttributeValues: { ':end': sk },
    });
    for await (const items of pages) {
      for (const item of items) {
        await handOver(JSON.parse(textIn(item, 'revocation')) as T);
        const Key: Key = { pk, sk: { S: textIn(item, 'sk') } };
        await client.send(new DeleteItemCommand({ TableName, Key }));
      }
    }
  }
}
