import { z } from 'zod';
import { isAscending, PRICE_KEYS, tier } from '../prices/priceSheet.ts';
import json from './others.json' with { type: 'json' };

/** What a price may be for so many of; quantities.ts works each out for a load, but users and seats, which a load does not tell. */
export const COUNTED = [
  'month',
  'hours',
  'diskGb',
  'connectionMinutes',
  'channelMinutes',
  'starts',
  'subscriptions',
  'changes',
  'published',
  'pushes',
  'delivered',
  'receivedByTwenty',
  'polls',
  'serverConnections',
  'lcuHours',
  'users',
  'moreSeats',
] as const;

/** One of {@link COUNTED}. */
export type Counted = (typeof COUNTED)[number];

const part = z.strictObject({ what: z.string().min(1), counts: z.array(z.enum(COUNTED)).min(1) });

/** Where a price was read, and when; it may have been seen in a dated copy of that page (`via`). */
const read = { source: z.url(), asOf: z.iso.date(), via: z.url().optional() };

const price = z.union([
  part.extend({ sheet: z.enum(PRICE_KEYS) }),
  part.extend({ tiers: z.array(tier).min(1).refine(isAscending), per: z.number().positive(), ...read }),
  // What is known to cost something, but not what: it could not be confirmed.
  part.extend(read),
]);

const other = z.strictObject({
  key: z.string(),
  name: z.string(),
  /** Whether FeatBit's SDKs can use it unmodified; some can, or all once somebody has written the service. */
  sdks: z.enum(['yes', 'some', 'no']),
  /** What choosing it means. */
  fit: z.string(),
  /** What a month's cost here is without. */
  leftOut: z.string().optional(),
  /** What of ours is part of it: a host and its table, Fargate without its load balancer, the HTTP API. */
  base: z.enum(['host', 'balancer', 'polling']).optional(),
  /** Of the machine that a host runs on. */
  memoryGb: z.number().positive().optional(),
  /** GB of data out that are in its price. */
  includedGb: z.number().positive().optional(),
  mostConnections: z.number().positive().optional(),
  prices: z.array(price),
});

/** A price of what others offer. */
export type OtherPrice = z.infer<typeof price>;

/** What somebody might choose in place of what we deploy. */
export type Other = z.infer<typeof other>;

/** What others would pick, each with its prices and where and when they were read. */
export const OTHERS: readonly Other[] = z.array(other).parse(json);
