/** Limits for one instance of each function: messages to connections a second. */
interface PostRates {
  readonly deliver: number;
  /** Messages after the first of a reply. The first follows a data-sync, which the API's own throttle limits. */
  readonly sync: number;
  /** Messages of replies that healing sends. */
  readonly heal: number;
}

/** Share of the API's requests a second for deliveries; pings, data-syncs and HTTP get the rest. */
const DELIVERY_SHARE = 0.4;

/** Share for healing; at most two of its calls overlap. */
const HEALING_SHARE = 0.05;

/** Share for one large reply. A hundred at once use half of the requests. */
const REPLY_SHARE = 0.005;

/** Lower limit for one instance: a delivery has dozens of messages in flight and half a minute of time. */
const LEAST_PER_SECOND = 10;

/** Concurrent deliveries at the usual quotas, and Lambda's maximum for one queue. */
const LEAST_DELIVERIES = 4;
export const MOST_DELIVERIES = 1_000;

/** Messages a second that one call of deliver sends with a whole vCPU: 0.4 ms each, measured with a function of one core. */
const MESSAGES_PER_PROCESSOR = 2_500;

/** The number of concurrent deliveries that can use the whole delivery share. */
export function deliveriesFor(throttlingRate: number): number {
  const needed = Math.ceil((throttlingRate * DELIVERY_SHARE) / MESSAGES_PER_PROCESSOR);
  return Math.min(MOST_DELIVERIES, Math.max(LEAST_DELIVERIES, needed));
}

/**
 * The rate limit of each function's instances. It reserves enough of the account's quota for pings: a client whose ping is refused
 * reconnects, which costs more requests.
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
