import type { PriceKey, PriceSheet } from './priceSheet.ts';
import { DASHBOARDS, QUEUE_POLLS_A_DAY } from './serviceFacts.ts';
import { type FreeTier, MONTH_HOURS, tieredCost } from './tiers.ts';

/** What something is used for; `machines` is what is paid whether it is used or not. */
export const PURPOSES = ['heartbeat', 'connections', 'syncs', 'pushes', 'insights', 'machines'] as const;

/** One of {@link PURPOSES}. */
export type Purpose = (typeof PURPOSES)[number];

/** What each purpose is called. */
export const PURPOSE_NAMES: Readonly<Record<Purpose, string>> = {
  heartbeat: 'pings and pongs',
  connections: 'connections',
  syncs: 'data-syncs',
  pushes: 'changes',
  insights: 'insight events',
  machines: 'fixed costs',
};

/** So much of something that has a price, in a month. */
export interface Line {
  readonly price: PriceKey;
  readonly quantity: number;
  readonly purpose: Purpose;
  /** What of it this is, in a few words. */
  readonly what: string;
}

/** A line of a bill. */
export function line(price: PriceKey, purpose: Purpose, what: string, quantity: number): Line {
  return { price, purpose, what, quantity };
}

/** A line that is paid whether something is used or not. */
export function standing(price: PriceKey, what: string, quantity: number): Line {
  return line(price, 'machines', what, quantity);
}

/** What the serverless stack costs a month without any use: its alarms and both dashboards. @param alarms metrics of its alarms */
export function standingLines(alarms: number, lean: boolean): Line[] {
  return [
    standing('alarm', 'alarms', alarms),
    standing('smallDashboard', 'dashboard', DASHBOARDS),
    standing(lean ? 'smallDashboard' : 'dashboard', 'cost dashboard', DASHBOARDS),
  ];
}

/** Lambda's polls of the queues in a month, which nobody uses. */
export function queuePolls(): Line {
  return standing('queueRequest', 'polls of the queues', (QUEUE_POLLS_A_DAY * MONTH_HOURS) / 24);
}

/** A line with what it costs. */
export interface Item extends Line {
  readonly unit: string;
  /** US dollars. */
  readonly usd: number;
}

/** A month's bill: its items add up to the total. */
export interface Bill {
  readonly items: readonly Item[];
  /** US dollars. */
  readonly total: number;
}

/**
 * Prices lines. Tiers and free allowances are a month's: they count for all lines of one price together, and each line
 * bears its part of what those cost.
 */
export function priceLines(lines: readonly Line[], sheet: PriceSheet, freeTier: FreeTier = 'none'): Bill {
  const items = [...Map.groupBy(lines, ({ price }) => price)].flatMap(([key, same]) => {
    const price = sheet.prices[key];
    const quantity = same.reduce((sum, line) => sum + line.quantity, 0);
    // AWS counts its tiers without what was free.
    const free = freeTier === 'none' ? 0 : (price.free?.always ?? 0);
    const usd = tieredCost(price, Math.max(0, quantity - free));
    const each = quantity > 0 ? usd / quantity : 0;
    return same.map((line) => ({ ...line, unit: price.unit, usd: line.quantity * each }));
  });
  return { items, total: items.reduce((sum, { usd }) => sum + usd, 0) };
}

/** What of a bill is for each purpose, in US dollars. */
export function byPurpose({ items }: Bill): Record<Purpose, number> {
  const sums = Object.fromEntries(PURPOSES.map((purpose) => [purpose, 0])) as Record<Purpose, number>;
  for (const { purpose, usd } of items) sums[purpose] += usd;
  return sums;
}
