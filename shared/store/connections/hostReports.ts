import { numberIn, textIn } from '../table/attributes.ts';
import { hostKeys } from '../table/keys.ts';
import { onlyAttributes, readItems } from '../table/read.ts';
import { TableAccess } from '../table/tableAccess.ts';
import { deleteItem, putItem } from '../table/write.ts';
import type { ServedRound } from './connection.ts';
import { roundsText, toRounds } from './shardProgress.ts';

/** How long a report is valid. Hosts renew it three times as often. */
export const HOST_LEASE_MS = 60_000;

/** How long a host stays unknown after its lease has ended, unless it starts again, in milliseconds. */
export const KEPT_MS = 24 * 3_600_000;

/** How long a write may take, in milliseconds. */
const WRITE_TIMEOUT_MS = 1_000;

/** The attribute with the process, whose name is a reserved word. */
const reserved = ['owner'];

/** The attributes of a report. */
const ATTRIBUTES = ['sk', 'leaseUntil', 'servedTo', 'newest', 'open', 'served', 'behind', 'rounds', 'expiresAt'];

/** How far a host has pushed changes of an environment to its connections. */
export interface HostReport {
  /** Number of open connections that have sent a data-sync. */
  readonly open: number;
  /** The version up to which everything was written to the socket of every connection that was open before it. */
  readonly servedTo: number;
  /** Number of connections whose socket has everything up to `servedTo`. */
  readonly served: number;
  /** The newest version that the host has read. */
  readonly newest: number;
  /** Number of connections whose socket does not have everything up to `newest`. */
  readonly behind: number;
  /** When `servedTo` reached each of its last values, ascending. */
  readonly rounds: readonly ServedRound[];
}

/** A stored report. */
export interface HostRecord {
  readonly id: string;
  /** Unix milliseconds. Then the host has ended without a shutdown, or cannot reach the table. */
  readonly leaseUntil: number;
  readonly report: HostReport;
}

/** A process of a host. */
export interface HostProcess {
  /** The name of its reports. A restarted process replaces the reports of the earlier one. */
  readonly id: string;
  /** Unique for each process, so that two with the same id notice each other. */
  readonly owner: string;
}

/** The reports of hosts, in the connections table. Each is also a lease: without one, a host has no connections. */
export class HostReports extends TableAccess {
  /**
   * Writes a report, and renews the lease.
   *
   * @param isFirst whether it may replace the report of another process, which has ended
   * @returns the end of the lease; undefined if another process has written a report with this id meanwhile
   */
  async write(
    envId: string,
    { id, owner }: HostProcess,
    { rounds, ...numbers }: HostReport,
    isFirst: boolean,
  ): Promise<number | undefined> {
    const leaseUntil = this.table.effects.now() + HOST_LEASE_MS;
    const expiresAt = Math.floor((leaseUntil + KEPT_MS) / 1_000);
    const report = { ...numbers, owner, rounds: roundsText(rounds), leaseUntil, expiresAt };
    const isOwn = { condition: 'attribute_not_exists(#owner) OR #owner = :owner', values: { owner }, reserved };
    const isWritten = await putItem(this.table, hostKeys.report(envId, id), report, {
      ...(isFirst ? {} : isOwn),
      timeoutMs: WRITE_TIMEOUT_MS,
    });
    return isWritten ? leaseUntil : undefined;
  }

  /** Removes a report. A late removal does not remove a later report. @param leaseUntil the lease of the report */
  async remove(envId: string, { id, owner }: HostProcess, leaseUntil: number): Promise<void> {
    const values = { owner, leaseUntil };
    const isOwn = { condition: '#owner = :owner AND leaseUntil = :leaseUntil', values, reserved };
    await deleteItem(this.table, hostKeys.report(envId, id), { ...isOwn, timeoutMs: WRITE_TIMEOUT_MS });
  }

  /** Removes the report of an earlier process with this id, whose connections have ended with it. */
  async removeFormer(envId: string, { id, owner }: HostProcess): Promise<void> {
    const isOther = { condition: '#owner <> :owner', values: { owner }, reserved };
    await deleteItem(this.table, hostKeys.report(envId, id), isOther);
  }

  /** Removes the report of a host that has ended. @returns false if its lease has not ended */
  forget(envId: string, id: string): Promise<boolean> {
    const condition = 'attribute_not_exists(pk) OR leaseUntil <= :now';
    const values = { now: this.table.effects.now() };
    return deleteItem(this.table, hostKeys.report(envId, id), { condition, values });
  }

  /** Loads the reports of an environment with strong consistency. Those of hosts that ended long ago are left out. */
  async load(envId: string): Promise<readonly HostRecord[]> {
    const items = await readItems(this.table, hostKeys.report(envId, '').pk, onlyAttributes(ATTRIBUTES));
    const kept = items.filter((item) => numberIn(item, 'expiresAt') * 1_000 > this.table.effects.now());
    return kept.map((item) => ({
      id: textIn(item, 'sk'),
      leaseUntil: numberIn(item, 'leaseUntil'),
      report: {
        open: numberIn(item, 'open'),
        servedTo: numberIn(item, 'servedTo'),
        served: numberIn(item, 'served'),
        newest: numberIn(item, 'newest'),
        behind: numberIn(item, 'behind'),
        rounds: toRounds(textIn(item, 'rounds') || '[]'),
      },
    }));
  }
}
