import type { Config } from './config.ts';

/** Messages to connections that one instance of each function sends a second, at most. */
export interface PostRates {
  readonly deliver: number;
}

/** What deliveries take of the requests a second that the API lets through; pings, data-syncs and HTTP have the rest. */
const DELIVERY_SHARE = 0.4;

/** The fewest of one instance: a delivery has some dozens of messages under way, and half a minute. */
const LEAST_PER_SECOND = 10;

/**
 * The pace of each function's instances, so that messages to connections leave the account's quota to pings: a client whose
 * ping is refused connects anew, which takes more of it.
 */
export function postRates({
  throttlingRate,
  deliverConcurrency,
}: Pick<Config, 'throttlingRate' | 'deliverConcurrency'>): PostRates {
  return { deliver: Math.max(LEAST_PER_SECOND, (throttlingRate * DELIVERY_SHARE) / deliverConcurrency) };
}
