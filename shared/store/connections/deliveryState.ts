import { type Item, numberIn } from '../table/attributes.ts';

/**
 * What a connection has received and who may send to it. Each data-sync begins an answer:
 *
 * ```
 *              begin                  finish(version)              a push failed,
 *   (no row) ───────────▶ answering ─────────────────────▶ current  or time ended
 *                          ▲  │                               ▲ ───────────────────▶ behind
 *                    begin │  │ giveUp                         ╰────────────────────── │
 *   (any state, unless a   │  │                                 sent what it lacked    │ failed again
 *    lease runs) ──────────╯  ╰─────────────▶ waiting ◀────────────────────────────────╯
 * ```
 *
 * - `answering`: one sender holds a lease on the connection. Only that sender sends. Pushes leave their versions to it,
 *   and newer data-syncs their users. It cannot finish before it has sent both. A lease expires when its sender died or
 *   its last post may still arrive. Then healing or the next data-sync begins again.
 * - `current`: it has everything up to `version`, and all pushes since. Pushes go to it directly.
 * - `behind`: it has everything up to `version`, but later pushes failed. The next delivery sends what it lacks.
 * - `waiting`: it has everything up to `version`, and waits for healing to answer it.
 *
 * Deliveries send only to `current` and `behind`. Each delivery notes other connections for healing, unless a lease is
 * running (push/sendToConnection.ts). So healing reaches all of them.
 */
export type DeliveryState =
  | {
      readonly kind: 'answering';
      readonly leaseUntil: number;
      /** The version up to which the reply was sent before a post with unknown outcome. */
      readonly sentTo?: number;
    }
  | { readonly kind: 'current' | 'waiting'; readonly version: number }
  | { readonly kind: 'behind'; readonly version: number; readonly reason: BehindReason };

/** Why a connection lacks a change: it was unreachable, or the sending call ran out of time. */
export type BehindReason = 'unreachable' | 'interrupted';

/** What a push may do with a connection. */
export type PushAccess =
  | { readonly kind: 'leave' }
  | { readonly kind: 'send new'; readonly version: number }
  | { readonly kind: 'send missed'; readonly version: number }
  | { readonly kind: 'heal' };

/** What a push may do with a connection in a given state. */
export function pushAccess(state: DeliveryState): PushAccess {
  switch (state.kind) {
    case 'answering':
      return { kind: 'leave' };
    case 'current':
      return { kind: 'send new', version: state.version };
    case 'behind':
      return { kind: 'send missed', version: state.version };
    case 'waiting':
      return { kind: 'heal' };
  }
}

/** Whether a sender is answering a connection. @param nowMs unix milliseconds */
export function isLeased(state: DeliveryState, nowMs: number): boolean {
  return state.kind === 'answering' && state.leaseUntil > nowMs;
}

/** Whether healing can skip a connection, because a delivery sends what it lacks. */
export function isAnswered({ kind }: DeliveryState): boolean {
  return kind === 'current' || kind === 'behind';
}

/** Whether an earlier delivery could not reach a connection. */
export function isUnreachable(state: DeliveryState): boolean {
  return state.kind === 'behind' && state.reason === 'unreachable';
}

/** The version up to which a connection certainly has everything, or 0. */
export function knownVersion(state: DeliveryState): number {
  return state.kind === 'answering' ? (state.sentTo ?? 0) : 'version' in state ? state.version : 0;
}

const BEHIND_REASONS: readonly BehindReason[] = ['unreachable', 'interrupted'];

/** The state in a connection's row. A row without a state waits for everything. */
export function stateIn(item: Item): DeliveryState {
  if (item['leaseUntil']) {
    const sentTo = item['sentTo'] && { sentTo: numberIn(item, 'sentTo') };
    return { kind: 'answering', leaseUntil: numberIn(item, 'leaseUntil'), ...sentTo };
  }
  const version = Number(item['version']?.N ?? 0);
  if (item['version'] && !item['behind']) return { kind: 'current', version };
  const reason = BEHIND_REASONS.find((known) => known === item['behind']?.S);
  return reason ? { kind: 'behind', version, reason } : { kind: 'waiting', version };
}
