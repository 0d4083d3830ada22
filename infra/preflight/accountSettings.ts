import type { Config } from '../config/config.ts';
import { deploymentName } from '../config/deploymentName.ts';
import { deliveriesFor } from '../config/postRates.ts';
import { valueAt } from '../config/settingsList.ts';
import type { AccountState } from './accountState.ts';
import { machineZone } from './machineFindings.ts';
import { fittingDeliveries } from './quotaFindings.ts';
import type { AccountLimits } from './quotas.ts';

/** A setting that depends on the account. */
export interface AccountSetting {
  readonly key: string;
  readonly value: number | string;
  /** Whether it was read from the account; otherwise it is the region's default. */
  readonly isRead: boolean;
}

/**
 * Settings that follow from the account's limits, unless the operator set them. The throttle of both APIs is the region's quota.
 * Concurrent deliveries are limited in a small account. API Gateway has one log role for all WebSocket and REST APIs of an account
 * and region: an existing role is used; otherwise the deployment creates one. Machines are in a zone that offers their instance types.
 *
 * @param settings the operator's settings
 * @param config the effective configuration, in the account's region
 * @param deployedZone zone of the machines of the current deployment, which stays: CloudFormation cannot move a subnet
 */
export function accountSettingsFor(
  settings: Readonly<Record<string, unknown>>,
  config: Config,
  limits: AccountLimits,
  { logRole, machineTypes }: AccountState = {},
  deployedZone?: string,
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
  const zone = config.host && (deployedZone ?? (machineTypes && machineZone(config.host, machineTypes)));
  const room = concurrency === undefined ? deliveries : fittingDeliveries(concurrency);
  const all = [
    throttle('throttlingRate', throttleRate, config.throttlingRate),
    throttle('throttlingBurst', throttleBurst, config.throttlingBurst),
    ...(logRole === undefined || config.streamingAccessLogs === 'off'
      ? []
      : [{ key: 'streamingAccessLogs', value: logRoleSetting(logRole, config), isRead: true }]),
    ...(room < deliveries ? [{ key: 'deliverConcurrency', value: room, isRead: true }] : []),
    ...(zone === undefined ? [] : [{ key: 'host.availabilityZone', value: zone, isRead: true }]),
  ];
  return all.filter(({ key }) => valueAt(settings, key) === undefined);
}

/**
 * Recognises the role that this deployment created by its name, which begins with the (possibly cut) name of the stack. It stays in
 * the template.
 */
function logRoleSetting(role: string, config: Config): Config['streamingAccessLogs'] {
  const [, stack] = /role\/([\w-]+)-StreamingAccess/.exec(role) ?? [];
  const isOurs = stack !== undefined && `${deploymentName(config)}-Serverless`.startsWith(stack);
  return role === '' || isOurs ? 'create-role' : 'existing-role';
}
