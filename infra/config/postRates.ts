/** Messages to connections that one instance of each function sends a second, at most. */
export interface PostRates {
  readonly deliver: number;
  /** What follows the first message of a reply: that one comes with a data-sync, which the API's own limit holds back. */
  readonly sync: number;
  /** The same of the replies that healing sends. */
  readonly heal: number;
}

/** What deliveries take of the requests a second that the API lets through; pings, data-syncs and HTTP have the rest. */
const DELIVERY_SHARE = 0.4;

/** What healing takes: no more than two of its calls overlap. */
const HEALING_SHARE = 0.05;

/** What one large reply takes. A hundred that are sent at once take half of the requests. */
const REPLY_SHARE = 0.005;

/** The fewest of one instance: a delivery has some dozens of messages under way, and half a minute. */
const LEAST_PER_SECOND = 10;

/** Deliveries at once for the usual quotas, and the most that Lambda takes of one queue. */
const LEAST_DELIVERIES = 4;
export const MOST_DELIVERIES = 1_000;

/** Messages a second that a whole processor, which a call of deliver has, gets done: 0.4 ms each (docs/results/serverless.md). */
const MESSAGES_PER_PROCESSOR = 2_500;

/** As many deliveries at once as it takes to send what they may. */
export function deliveriesFor(throttlingRate: number): number {
  const needed = Math.ceil((throttlingRate * DELIVERY_SHARE) / MESSAGES_PER_PROCESSOR);
  return Math.min(MOST_DELIVERIES, Math.max(LEAST_DELIVERIES, needed));
}

/**
 * The pace of each function's instances, so that messages to connections leave the account's quota to pings: a client whose
 * ping is refused connects anew, which takes more of it.
 */
export function postRates({
  throttlingRate,
  deliverConcurrency,
}: {
  readonly throttlingRate: number;
  readonly deliverConcurrency: number;
}): PostRates {
  const share = (part: number) => Math.max(LEAST_PER_SECOND, throttlingRate * part);
  return {
    deliver: share(DELIVERY_SHARE / deliverConcurrency),
    sync: share(REPLY_SHARE),
    heal: share(HEALING_SHARE),
  };
}
