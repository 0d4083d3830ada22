import { type AttributeValue, DeleteItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { numberIn, textIn } from '../table/attributes.ts';
import { hostKeys } from '../table/keys.ts';
import { pagesUnder } from '../table/read.ts';
import { TableAccess } from '../table/tableAccess.ts';
import { HOST_LEASE_MS, type HostProcess, KEPT_MS } from './hostReports.ts';
import { unlessRefused } from './shardProgress.ts';

/** How long a write may take, in milliseconds. */
const WRITE_TIMEOUT_MS = 1_000;

/**
 * Notes of hosts that serve connections which they cannot report to the connections table (hostReports.ts). They are in the flags
 * table, so that receipts know these hosts while the connections table refuses writes.
 */
export class HostNotes extends TableAccess {
  /** Writes the note of a host, or renews it. */
  async write({ id, owner }: HostProcess): Promise<void> {
    const { client, name: TableName, effects } = this.table;
    const at = effects.now();
    const numbers = { at: { N: String(at) }, expiresAt: { N: String(Math.floor((at + KEPT_MS) / 1_000)) } };
    const Item = { ...hostKeys.note(id), owner: { S: owner }, ...numbers };
    await client.send(new PutItemCommand({ TableName, Item }), { abortSignal: effects.timeout(WRITE_TIMEOUT_MS) });
  }

  /** Removes the note of a host, unless another process with this id has written it. */
  async remove({ id, owner }: HostProcess): Promise<void> {
    await this.#remove(id, '#owner = :owner', { '#owner': 'owner' }, { ':owner': { S: owner } });
  }

  /** Removes the note of a host that has ended. @returns false if it was renewed within a minute */
  async forget(id: string): Promise<boolean> {
    const before = { N: String(this.table.effects.now() - HOST_LEASE_MS) };
    return this.#remove(id, 'attribute_not_exists(pk) OR #at <= :before', { '#at': 'at' }, { ':before': before });
  }

  async #remove(
    id: string,
    ConditionExpression: string,
    ExpressionAttributeNames: Record<string, string>,
    ExpressionAttributeValues: Record<string, AttributeValue>,
  ): Promise<boolean> {
    const { client, name: TableName, effects } = this.table;
    const condition = { ConditionExpression, ExpressionAttributeNames, ExpressionAttributeValues };
    const command = new DeleteItemCommand({ TableName, Key: hostKeys.note(id), ...condition });
    const options = { abortSignal: effects.timeout(WRITE_TIMEOUT_MS) };
    return (await unlessRefused(client.send(command, options))) !== undefined;
  }

  /** Loads the ids of the noted hosts, with strong consistency. Those of hosts that ended long ago are left out. */
  async load(): Promise<readonly string[]> {
    const ids: string[] = [];
    for await (const items of pagesUnder(this.table, hostKeys.note('').pk)) {
      const kept = items.filter((item) => numberIn(item, 'expiresAt') * 1_000 > this.table.effects.now());
      ids.push(...kept.map((item) => textIn(item, 'sk')));
    }
    return ids;
  }
}
