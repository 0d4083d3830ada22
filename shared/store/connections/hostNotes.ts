import { numberIn, textIn } from '../table/attributes.ts';
import { hostKeys } from '../table/keys.ts';
import { readItems } from '../table/read.ts';
import { TableAccess } from '../table/tableAccess.ts';
import { deleteItem, putItem } from '../table/write.ts';
import { HOST_LEASE_MS, type HostProcess, KEPT_MS } from './hostReports.ts';

/** How long a write may take, in milliseconds. */
const WRITE_TIMEOUT_MS = 1_000;

/**
 * Notes of hosts that serve connections which they cannot report to the connections table (hostReports.ts). They are in the flags
 * table, so that receipts know these hosts while the connections table refuses writes.
 */
export class HostNotes extends TableAccess {
  /** Writes the note of a host, or renews it. */
  async write({ id, owner }: HostProcess): Promise<void> {
    const at = this.table.effects.now();
    const note = { owner, at, expiresAt: Math.floor((at + KEPT_MS) / 1_000) };
    await putItem(this.table, hostKeys.note(id), note, { timeoutMs: WRITE_TIMEOUT_MS });
  }

  /** Removes the note of a host, unless another process with this id has written it. */
  async remove({ id, owner }: HostProcess): Promise<void> {
    const isOwn = { condition: '#owner = :owner', values: { owner }, reserved: ['owner'] };
    await deleteItem(this.table, hostKeys.note(id), { ...isOwn, timeoutMs: WRITE_TIMEOUT_MS });
  }

  /** Removes the note of a host that has ended. @returns false if it was renewed within a minute */
  forget(id: string): Promise<boolean> {
    const values = { before: this.table.effects.now() - HOST_LEASE_MS };
    const isOld = { condition: 'attribute_not_exists(pk) OR #at <= :before', values, reserved: ['at'] };
    return deleteItem(this.table, hostKeys.note(id), { ...isOld, timeoutMs: WRITE_TIMEOUT_MS });
  }

  /** Loads the ids of the noted hosts, with strong consistency. Those of hosts that ended long ago are left out. */
  async load(): Promise<readonly string[]> {
    const items = await readItems(this.table, hostKeys.note('').pk);
    const kept = items.filter((item) => numberIn(item, 'expiresAt') * 1_000 > this.table.effects.now());
    return kept.map((item) => textIn(item, 'sk'));
  }
}
