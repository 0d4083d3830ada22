import type { Config } from '../config/config.ts';
import { deploymentName } from '../config/deploymentName.ts';
import { deliveriesFor } from '../config/postRates.ts';
import type { AccountState } from './accountState.ts';
import { fittingDeliveries } from './findings.ts';
import type { AccountLimits } from './quotas.ts';

/** A setting that the account decides. */
export interface AccountSetting {
  readonly key: string;
  readonly value: number | string;
  /** Whether it was read of the account; it is the region's default otherwise. */
  readonly isRead: boolean;
}

/**
 * The settings that an account's limits decide, unless the operator does: the throttle of both APIs is the region's quota, and
 * deliveries are no more than a small account has room for. API Gateway has one role for the logs of all WebSocket and REST APIs of an
 * account and region: one that is set is used, and only where there is none, ours is made.
 *
 * @param settings what the operator set
 * @param config what that comes to, in the account's region
 */
export function accountSettingsFor(
  settings: Readonly<Record<string, unknown>>,
  config: Config,
  limits: AccountLimits,
  { logRole }: AccountState = {},
): AccountSetting[] {
  const { throttleRate, throttleBurst, concurrency } = limits;
  const throttle = (key: string, read: number | undefined, usual: number) => ({
    key,
    value: read ?? usual,
    isRead: read !== undefined,
  });
  const rate =
    settings['throttlingRate'] === undefined ? (throttleRate ?? config.throttlingRate) : config.throttlingRate;
  const deliveries = deliveriesFor(rate);
  const room = concurrency === undefined ? deliveries : fittingDeliveries(concurrency);
  const all = [
    throttle('throttlingRate', throttleRate, config.throttlingRate),
    throttle('throttlingBurst', throttleBurst, config.throttlingBurst),
    ...(logRole === undefined || config.streamingAccessLogs === 'off'
      ? []
      : [{ key: 'streamingAccessLogs', value: logRoleSetting(logRole, config), isRead: true }]),
    ...(room < deliveries ? [{ key: 'deliverConcurrency', value: room, isRead: true }] : []),
  ];
  return all.filter(({ key }) => settings[key] === undefined);
}

/**
 * Ours is known by its name, which begins with the stack's, or as much of that as fits: it stays in the template that made it.
 */
function logRoleSetting(role: string, config: Config): Config['streamingAccessLogs'] {
  const [, stack] = /role\/([\w-]+)-StreamingAccess/.exec(role) ?? [];
  const isOurs = stack !== undefined && `${deploymentName(config)}-Serverless`.startsWith(stack);
  return role === '' || isOurs ? 'create-role' : 'existing-role';
}
