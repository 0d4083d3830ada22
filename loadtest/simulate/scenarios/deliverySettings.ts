import { readConfig } from '../../../infra/config/config.ts';
import type { Account } from '../quotas/account.ts';

/** How the service delivers changes: settings of the stack, and of functions/push. */
export interface DeliverySettings {
  /** Calls of deliver at once, which the queue's source allows (`flagwire:deliverConcurrency`). */
  readonly calls: number;
  /** Message groups of an environment, of each of which one message is delivered at a time. */
  readonly groups: number;
  /** Messages a second of all of them (`flagwire:deliveryRate`). */
  readonly postsPerSecond: number;
  /** Messages between two notes of how far a delivery has come; a call that is killed repeats no more than those. */
  readonly postsPerChunk: number;
  /** Messages under way at once in a call. */
  readonly underWay: number;
  /** Time of a call; no connection is begun with in its last third. */
  readonly timeoutMs: number;
  /** How long a message that was not handled stays hidden. */
  readonly visibilityMs: number;
  /** Pauses before a message that failed is sent again; each is shorter or longer by up to half. */
  readonly retryPausesMs: readonly number[];
}

/**
 * The settings of the stack for an account whose quota its APIs may use up; what is not given is the stack's default.
 *
 * @throws Error naming the setting that the stack refuses
 */
export function deliverySettings({ requests }: Account, calls?: number, postsPerSecond?: number): DeliverySettings {
  const { deliverConcurrency, deliveryRate } = readConfig({
    'flagwire:throttlingRate': requests.perSecond,
    ...(calls !== undefined && { 'flagwire:deliverConcurrency': calls }),
    ...(postsPerSecond !== undefined && { 'flagwire:deliveryRate': postsPerSecond }),
  });
  return {
    calls: deliverConcurrency,
    groups: deliverConcurrency - 1,
    postsPerSecond: deliveryRate,
    postsPerChunk: Math.min(500, Math.ceil((2 * deliveryRate) / deliverConcurrency)),
    underWay: 64,
    timeoutMs: 30_000,
    visibilityMs: 180_000,
    retryPausesMs: [100, 400, 1_600],
  };
}
