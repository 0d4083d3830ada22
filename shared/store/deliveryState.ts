import { type Item, numberIn } from './attributes.ts';

/**
 * What a connection has and who may send to it. Each data-sync begins an answer:
 *
 * ```
 *              begin                  finish(version)              a push failed,
 *   (no row) ───────────▶ answering ─────────────────────▶ current  or time ended
 *                          ▲  │  │                            ▲ ───────────────────▶ behind
 *                    begin │  │  │ giveUp                      ╰────────────────────── │
 *   (any state, unless a   │  │  │                              sent what it lacked    │ failed again
 *    lease runs) ──────────╯  │  ╰──────────▶ waiting ◀────────────────────────────────╯
 *                             │ refuse
 *                             ╰──────────▶ unanswerable
 * ```
 *
 * - `answering`: one sender holds a lease on the connection. Nobody else sends. A push leaves its version to that sender,
 *   and so does a newer data-sync its user; the sender cannot finish before it has sent both. A lease expires when its
 *   sender died, or its last post may still arrive. Then the next data-sync begins anew, and healing answers it.
 * - `current`: it has everything up to `version`, and all pushes since. Pushes go to it directly.
 * - `behind`: it has everything up to `version`, and pushes since then failed. The next delivery sends what it lacks.
 * - `waiting`: it has everything up to `version`, and waits for healing, which answers it anew.
 * - `unanswerable`: an item of its environment fits no message. It gets nothing until it asks again or the environment
 *   changes, since an SDK that gets single changes would look healthy and lack the rest.
 *
 * Deliveries send to `current` and `behind` only. A connection in any other state is noted for healing by each delivery that
 * meets it, unless a lease runs (push/sendToConnection.ts): so none waits in vain.
 */
export type DeliveryState =
  | {
      readonly kind: 'answering';
      readonly leaseUntil: number;
      /** Up to which version its sender had sent the reply before a post whose outcome is unknown. */
      readonly sentTo?: number;
    }
  | { readonly kind: 'current' | 'waiting'; readonly version: number }
  | { readonly kind: 'behind'; readonly version: number; readonly reason: BehindReason }
  | { readonly kind: 'unanswerable' };

/** Why a connection lacks something: it could not be reached, or the call that sent to it had no time left. */
export type BehindReason = 'unreachable' | 'interrupted';

/** What a push may do with a connection. */
export type PushAccess =
  | { readonly kind: 'leave' }
  | { readonly kind: 'send new'; readonly version: number }
  | { readonly kind: 'send missed'; readonly version: number }
  | { readonly kind: 'heal' };

/** What a push may do with a connection in a state. */
export function pushAccess(state: DeliveryState): PushAccess {
  switch (state.kind) {
    case 'answering':
      return { kind: 'leave' };
    case 'current':
      return { kind: 'send new', version: state.version };
    case 'behind':
      return { kind: 'send missed', version: state.version };
    case 'waiting':
    case 'unanswerable':
      return { kind: 'heal' };
  }
}

/** Whether somebody is answering a connection. @param nowMs unix milliseconds */
export function isLeased(state: DeliveryState, nowMs: number): boolean {
  return state.kind === 'answering' && state.leaseUntil > nowMs;
}

/** Whether healing has nothing to do for a connection: what it lacks, a delivery sends. */
export function isAnswered({ kind }: DeliveryState): boolean {
  return kind === 'current' || kind === 'behind';
}

/** Whether a delivery could not reach a connection before. */
export function isUnreachable(state: DeliveryState): boolean {
  return state.kind === 'behind' && state.reason === 'unreachable';
}

/** The version up to which a connection is known to have everything; 0 where none is. */
export function knownVersion(state: DeliveryState): number {
  return state.kind === 'answering' ? (state.sentTo ?? 0) : 'version' in state ? state.version : 0;
}

const BEHIND_REASONS: readonly BehindReason[] = ['unreachable', 'interrupted'];

/** The state in a connection's row. A row without any waits for everything. */
export function stateIn(item: Item): DeliveryState {
  if (item['leaseUntil']) {
    const sentTo = item['sentTo'] && { sentTo: numberIn(item, 'sentTo') };
    return { kind: 'answering', leaseUntil: numberIn(item, 'leaseUntil'), ...sentTo };
  }
  if (item['unanswerable']) return { kind: 'unanswerable' };
  const version = Number(item['version']?.N ?? 0);
  if (item['version'] && !item['behind']) return { kind: 'current', version };
  const reason = BEHIND_REASONS.find((known) => known === item['behind']?.S);
  return reason ? { kind: 'behind', version, reason } : { kind: 'waiting', version };
}
