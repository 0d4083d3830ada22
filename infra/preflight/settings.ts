import type { Config } from '../config/config.ts';
import { fittingDeliveries } from './findings.ts';
import type { AccountLimits } from './quotas.ts';

/** Context for a deployment that its account decides. */
export interface Setting {
  readonly key: string;
  readonly value: number;
  /** Whether it was read of the account; it is the region's default otherwise. */
  readonly isRead: boolean;
}

/**
 * The settings that an account's limits decide, unless the operator does: the throttle of both APIs is the region's quota, and
 * deliveries are no more than a small account has room for.
 *
 * @param context what the operator set
 * @param config what that comes to, in the account's region
 */
export function settingsFor(
  context: Readonly<Record<string, unknown>>,
  config: Config,
  limits: AccountLimits,
): Setting[] {
  const { throttleRate, throttleBurst, concurrency } = limits;
  const throttle = (key: string, read: number | undefined, usual: number) => ({
    key,
    value: read ?? usual,
    isRead: read !== undefined,
  });
  const room = concurrency === undefined ? config.deliverConcurrency : fittingDeliveries(concurrency);
  const all = [
    throttle('flagwire:throttlingRate', throttleRate, config.throttlingRate),
    throttle('flagwire:throttlingBurst', throttleBurst, config.throttlingBurst),
    ...(room < config.deliverConcurrency ? [{ key: 'flagwire:deliverConcurrency', value: room, isRead: true }] : []),
  ];
  return all.filter(({ key }) => context[key] === undefined);
}
