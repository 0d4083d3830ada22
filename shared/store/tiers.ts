import { TIER_NAMES, type Tier, type TierName } from '../tier/tier.ts';
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

  /** Sets the wanted tier, which the service obeys within minutes. @returns undefined if no tier is stored */
  async setWanted(wanted: TierName): Promise<Tier | undefined> {
    // The tier belongs to no environment.
    const { by = 'unknown' } = (await this.table.author?.('')) ?? {};
    const changedAt = this.table.effects.now();
    for (;;) {
      const tier = await this.read();
      const next = tier && { ...tier, wanted, by, changedAt, revision: tier.revision + 1 };
      // Others write once a minute.
      if (!next || (await this.write(next))) return next;
    }
  }
}

/** A damaged attribute has its default: the host is wanted, and the hint is unknown. */
function toTier(item: Item): Tier {
  const tier = (name: string) => TIER_NAMES.find((each) => each === textIn(item, name));
  return {
    wanted: tier('wanted') ?? 'host',
    by: textIn(item, 'by'),
    changedAt: numberIn(item, 'changedAt'),
    hinted: tier('hinted'),
    revision: numberIn(item, 'revision'),
  };
}
