import { TIER_MODES, type Tier, type TierCounts, type TierMode } from '../tier/tier.ts';
import type { Connections } from './connections/connections.ts';
import type { HostNotes } from './connections/hostNotes.ts';
import { HostReports } from './connections/hostReports.ts';
import type { Environments } from './environments/environments.ts';
import { type Item, numberIn, textIn } from './table/attributes.ts';
import { tierKey } from './table/keys.ts';
import { readItem } from './table/read.ts';
import { TableAccess } from './table/tableAccess.ts';
import { putItem } from './table/write.ts';

/** The tier of a service, in one item of the flags table. */
export class Tiers extends TableAccess {
  /** Reads the tier with strong consistency. @returns undefined if none is stored: there was no front door */
  async read(): Promise<Tier | undefined> {
    const item = await readItem(this.table, tierKey);
    return item && toTier(item);
  }

  /** Writes the tier that follows the stored one. @returns false if another writer was first */
  write(tier: Tier): Promise<boolean> {
    const former = tier.revision - 1;
    // A damaged item may have a text as its revision.
    const condition =
      former === 0
        ? { condition: 'NOT attribute_type(revision, :number)', values: { number: 'N' } }
        : { condition: 'revision = :former', values: { former } };
    return putItem(this.table, tierKey, { ...tier }, condition);
  }

  /** Sets the mode, which the service obeys within minutes. @returns undefined if no tier is stored */
  async setMode(mode: TierMode): Promise<Tier | undefined> {
    // The tier belongs to no environment.
    const { by = 'unknown' } = (await this.table.author?.('')) ?? {};
    for (;;) {
      const tier = await this.read();
      const next = tier && { ...tier, mode, by, revision: tier.revision + 1 };
      // Others write once a minute.
      if (!next || (await this.write(next))) return next;
    }
  }
}

/** Counts the connections of all environments. @param most maximum of those on API Gateway; the current page is still counted */
export async function countTiers(
  { environments, hosts }: { readonly environments: Pick<Environments, 'list'>; readonly hosts: HostNotes },
  connections: Connections,
  most: number,
): Promise<TierCounts> {
  const reports = new HostReports(connections.table);
  const now = connections.table.effects.now();
  let [gateway, host] = [0, 0];
  for (const { id } of await environments.list()) {
    if (gateway < most) {
      const { client, server } = await connections.countByType(id, most - gateway);
      gateway += client + server;
    }
    const { records } = await reports.load(id);
    for (const { leaseUntil, report } of records) if (leaseUntil > now) host += report.open;
  }
  // A host with a note has connections that it cannot report.
  return { gateway, host: (await hosts.load()).length > 0 ? undefined : host };
}

/** A damaged attribute has its default: the mode `auto`, with the host. */
function toTier(item: Item): Tier {
  const time = (name: string) => numberIn(item, name) || undefined;
  return {
    mode: TIER_MODES.find((mode) => mode === textIn(item, 'mode')) ?? 'auto',
    by: textIn(item, 'by'),
    wanted: textIn(item, 'wanted') === 'gateway' ? 'gateway' : 'host',
    changedAt: numberIn(item, 'changedAt'),
    crowdedSince: time('crowdedSince'),
    quietSince: time('quietSince'),
    hinted: (['host', 'gateway'] as const).find((tier) => tier === textIn(item, 'hinted')),
    revision: numberIn(item, 'revision'),
  };
}
