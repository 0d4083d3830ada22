import type { Config } from '../config/config.ts';
import type { GivenContext } from '../config/contextOption.ts';
import { fittingDeliveries } from './findings.ts';
import type { AccountLimits } from './quotas.ts';

/**
 * The settings that an account's limits decide, unless the operator does: the throttle of both APIs is the region's quota, and
 * deliveries are no more than a small account has room for.
 *
 * @param context what the operator set
 * @param config what that comes to, in the account's region
 * @returns context for the deployment
 */
export function settingsFor(
  context: Readonly<Record<string, unknown>>,
  config: Config,
  limits: AccountLimits,
): GivenContext {
  const { throttleRate = config.throttlingRate, throttleBurst = config.throttlingBurst, concurrency } = limits;
  const settings: Record<string, number> = {
    'flagwire:throttlingRate': throttleRate,
    'flagwire:throttlingBurst': throttleBurst,
  };
  const deliveries = concurrency === undefined ? config.deliverConcurrency : fittingDeliveries(concurrency);
  if (deliveries < config.deliverConcurrency) settings['flagwire:deliverConcurrency'] = deliveries;
  const open = Object.entries(settings).filter(([key]) => context[key] === undefined);
  return Object.fromEntries(open.map(([key, value]) => [key, String(value)]));
}
