import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type Campaign, readCampaign, type Trend } from './campaign.ts';
import { findMismatch } from './comparable.ts';

/** How many campaigns a trend goes back. */
const LAST = 10;

/**
 * Finds the campaigns of a folder that a campaign can be compared with. What cannot be read is named and costs nobody the report of a
 * campaign that took hours.
 *
 * @param folder that holds folders of campaigns, as `dist/loadtest` does
 */
export function readTrend(campaign: Campaign, folder: string): Trend {
  const unreadable: string[] = [];
  const read = <T>(name: string, reader: () => T): T[] => {
    try {
      return [reader()];
    } catch {
      unreadable.push(name);
      return [];
    }
  };
  const names = read(basename(folder), () => readdirSync(folder)).flat();
  const found = names
    .filter((name) => existsSync(join(folder, name, 'campaign.json')))
    .flatMap((name) => read(name, () => readCampaign(join(folder, name))));
  const rest = found.filter(({ facts }) => facts.startedAt !== campaign.facts.startedAt);
  const same = rest.filter(({ facts }) => findMismatch(facts, campaign.facts) === undefined);
  const campaigns = [...byDate(same).slice(1 - LAST), campaign];
  return { campaigns: byDate(campaigns), others: rest.length - same.length, unreadable };
}

function byDate(campaigns: readonly Campaign[]): Campaign[] {
  return campaigns.toSorted((a, b) => a.facts.startedAt.localeCompare(b.facts.startedAt));
}
