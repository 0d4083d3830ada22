import { DeleteItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { numberIn, textIn } from '../table/attributes.ts';
import { hostKeys } from '../table/keys.ts';
import { onlyAttributes, pagesUnder } from '../table/read.ts';
import { TableAccess } from '../table/tableAccess.ts';
import type { ServedRound } from './connection.ts';
import { roundsValue, toRounds, unlessRefused } from './shardProgress.ts';

/** How long a report is valid. Hosts renew it three times as often. */
export const HOST_LEASE_MS = 60_000;

/** How long a host stays unknown after its lease has ended, unless it starts again, in milliseconds. */
export const KEPT_MS = 24 * 3_600_000;

/** How long a write may take, in milliseconds. */
const WRITE_TIMEOUT_MS = 1_000;

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
    const { now, timeout } = this.table.effects;
    const leaseUntil = now() + HOST_LEASE_MS;
    const counts = Object.entries({ ...numbers, leaseUntil, expiresAt: Math.floor((leaseUntil + KEPT_MS) / 1_000) });
    const command = new PutItemCommand({
      TableName: this.table.name,
      Item: {
        ...hostKeys.report(envId, id),
        owner: { S: owner },
        rounds: roundsValue(rounds),
        ...Object.fromEntries(counts.map(([name, value]) => [name, { N: String(value) }])),
      },
      ...(isFirst
        ? {}
        : {
            ConditionExpression: 'attribute_not_exists(#owner) OR #owner = :owner',
            ExpressionAttributeNames: { '#owner': 'owner' },
            ExpressionAttributeValues: { ':owner': { S: owner } },
          }),
    });
    const abortSignal = timeout(WRITE_TIMEOUT_MS);
    return (await unlessRefused(this.table.client.send(command, { abortSignal }))) && leaseUntil;
  }

  /** Removes a report. A late removal does not remove a later report. @param leaseUntil the lease of the report */
  async remove(envId: string, { id, owner }: HostProcess, leaseUntil: number): Promise<void> {
    const command = new DeleteItemCommand({
      TableName: this.table.name,
      Key: hostKeys.report(envId, id),
      ConditionExpression: '#owner = :owner AND leaseUntil = :lease',
      ExpressionAttributeNames: { '#owner': 'owner' },
      ExpressionAttributeValues: { ':owner': { S: owner }, ':lease': { N: String(leaseUntil) } },
    });
    const abortSignal = this.table.effects.timeout(WRITE_TIMEOUT_MS);
    await unlessRefused(this.table.client.send(command, { abortSignal }));
  }

  /** Removes the report of an earlier process with this id, whose connections have ended with it. */
  async removeFormer(envId: string, { id, owner }: HostProcess): Promise<void> {
    const command = new DeleteItemCommand({
      TableName: this.table.name,
      Key: hostKeys.report(envId, id),
      ConditionExpression: '#owner <> :owner',
      ExpressionAttributeNames: { '#owner': 'owner' },
      ExpressionAttributeValues: { ':owner': { S: owner } },
    });
    await unlessRefused(this.table.client.send(command));
  }

  /** Removes the report of a host that has ended. @returns false if its lease has not ended */
  async forget(envId: string, id: string): Promise<boolean> {
    const command = new DeleteItemCommand({
      TableName: this.table.name,
      Key: hostKeys.report(envId, id),
      ConditionExpression: 'attribute_not_exists(pk) OR leaseUntil <= :now',
      ExpressionAttributeValues: { ':now': { N: String(this.table.effects.now()) } },
    });
    return (await unlessRefused(this.table.client.send(command))) !== undefined;
  }

  /** Loads the reports of an environment with strong consistency. Those of hosts that ended long ago are left out. */
  async load(envId: string): Promise<{ readonly records: readonly HostRecord[]; readonly units: number }> {
    const records: HostRecord[] = [];
    const pages = pagesUnder(this.table, hostKeys.report(envId, '').pk, onlyAttributes(ATTRIBUTES));
    let units = 0;
    for await (const items of pages) {
      units++;
      for (const item of items) {
        if (numberIn(item, 'expiresAt') * 1_000 <= this.table.effects.now()) continue;
        records.push({
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
        });
      }
    }
    return { records, units };
  }
}
