import { type Item, numberIn } from './attributes.ts';

/**
 * What a connection has and who may send to it. Each data-sync begins an answer:
 *
 * ```
 *              begin                  finish(version)
 *   (no row) ───────────▶ answering ────────────────────▶ current ──┐
 *                           ▲   │                            ▲      │ a push failed,
 *                     begin │   │ refuse   sent what it lacked│      │ or time ended
 *   (any state, unless a    │   ▼                            │      ▼
 *    lease runs) ───────────┘  unanswerable                  └── behind
 * ```
 *
 * - `answering`: one sender holds a lease on the connection. Nobody else sends. A push leaves its version to that sender,
 *   and so does a newer data-sync its user; the sender cannot finish before it has sent both. A lease ends early when its
 *   sender failed and knows what arrived (`giveUp`), and expires when the sender died, or its last post may still arrive.
 *   Then the next data-sync begins anew, and healing sends everything. Deliveries leave the connection to healing at
 *   first; later they send it all changes.
 * - `current`: it has everything up to `version`, and all pushes since. Pushes go to it directly.
 * - `behind`: it has everything up to `version`, and pushes since then failed. The next delivery sends what it lacks. One
 *   that was `unanswered` stays behind until it is answered, since changes are no answer: an agent gets its secrets with it.
 * - `unanswerable`: an item of its environment fits no message. It gets nothing until it asks again, since an SDK that
 *   gets single changes would look healthy and lack the rest.
 */
export type DeliveryState =
  | {
      readonly kind: 'answering';
      readonly leaseUntil: number;
      /** Up to which version the sender had sent its reply when it gave up; the next one goes on there. */
      readonly sentTo?: number;
    }
  | { readonly kind: 'current'; readonly version: number }
  | { readonly kind: 'behind'; readonly version: number; readonly reason: BehindReason }
  | { readonly kind: 'unanswerable' };

/**
 * Why a connection lacks something: it could not be reached, the call that sent to it had no time left, or it was sent changes
 * and never its answer.
 */
export type BehindReason = 'unreachable' | 'interrupted' | 'unanswered';

/**
 * How long after the end of a lease deliveries leave its connection to healing, which sends everything in one reply where they
 * would send it change by change. Healing looks every minute.
 */
export const LEFT_TO_HEALING_MS = 90_000;

/** What a push may do with a connection. */
export type PushAccess =
  | { readonly kind: 'leave' }
  | { readonly kind: 'send new'; readonly version: number }
  | { readonly kind: 'send missed'; readonly version: number }
  | { readonly kind: 'skip' };

/** What a push may do with a connection in a state. @param nowMs unix milliseconds */
export function pushAccess(state: DeliveryState, nowMs: number): PushAccess {
  switch (state.kind) {
    case 'answering':
      if (isLeased(state, nowMs)) return { kind: 'leave' };
      return state.leaseUntil + LEFT_TO_HEALING_MS > nowMs ? { kind: 'skip' } : { kind: 'send missed', version: 0 };
    case 'current':
      return { kind: 'send new', version: state.version };
    case 'behind':
      return { kind: 'send missed', version: state.version };
    case 'unanswerable':
      return { kind: 'skip' };
  }
}

/** Whether somebody is answering a connection. @param nowMs unix milliseconds */
export function isLeased(state: DeliveryState, nowMs: number): boolean {
  return state.kind === 'answering' && state.leaseUntil > nowMs;
}

/** Whether a connection has its answer, so that healing has nothing to do: what it lacks since, a delivery sends. */
export function isAnswered({ kind }: DeliveryState): boolean {
  return kind === 'current' || kind === 'unanswerable';
}

/** Whether a connection that is sent changes still lacks its answer. */
export function isUnanswered(state: DeliveryState): boolean {
  return state.kind === 'answering' || (state.kind === 'behind' && state.reason === 'unanswered');
}

/** Whether a delivery does not wait a second time for a connection that it cannot reach. */
export function isUnreachable(state: DeliveryState): boolean {
  return state.kind === 'behind' && state.reason !== 'interrupted';
}

/** The version up to which a connection is known to have everything; 0 where none is. */
export function knownVersion(state: DeliveryState): number {
  return 'version' in state ? state.version : 0;
}

const BEHIND_REASONS: readonly BehindReason[] = ['unreachable', 'interrupted', 'unanswered'];

/** The state in a connection's row. A row without any is owed everything. */
export function stateIn(item: Item): DeliveryState {
  if (item['leaseUntil']) {
    const sentTo = item['sentTo'] && { sentTo: numberIn(item, 'sentTo') };
    return { kind: 'answering', leaseUntil: numberIn(item, 'leaseUntil'), ...sentTo };
  }
  if (item['unanswerable']) return { kind: 'unanswerable' };
  const version = Number(item['version']?.N ?? 0);
  if (item['version'] && !item['behind']) return { kind: 'current', version };
  const reason = BEHIND_REASONS.find((known) => known === item['behind']?.S) ?? 'interrupted';
  return { kind: 'behind', version, reason };
}
