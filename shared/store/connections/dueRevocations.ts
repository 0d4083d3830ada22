import { textIn } from '../table/attributes.ts';
import { dueRevocationKey } from '../table/keys.ts';
import { itemsUnder, sortKeys } from '../table/read.ts';
import { TableAccess } from '../table/tableAccess.ts';
import { deleteItem, putItem } from '../table/write.ts';
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
    const key = dueRevocationKey(dueAt, revocation.envId, revocation.secretId);
    const entry = { revocation: JSON.stringify(revocation), entryId: this.table.effects.uuid() };
    await putItem(this.table, key, { ...entry, expiresAt: expiryOf(dueAt) });
  }

  /**
   * Hands over the revocations that are due, oldest first, and removes each afterwards. One that is stored again meanwhile stays: by
   * the clock of its receiver, it may be due later.
   */
  async take<T extends StoredRevocation>(handOver: (revocation: T) => Promise<void>): Promise<void> {
    const { pk, sk } = dueRevocationKey(this.table.effects.now() + 1, '', '');
    for await (const item of itemsUnder(this.table, pk, sortKeys('<', sk))) {
      await handOver(JSON.parse(textIn(item, 'revocation')) as T);
      const isSame = { condition: 'entryId = :entryId', values: { entryId: textIn(item, 'entryId') } };
      await deleteItem(this.table, { pk, sk: { S: textIn(item, 'sk') } }, isSame);
    }
  }
}
