import type { Connection, Registration } from './connection.ts';

/** The right to send to a connection, which has an answer in progress. It ends at the latest when it expires. */
export interface HeldLease {
  readonly envId: string;
  readonly connectionId: string;
  readonly answerId: string;
  /** How many requests and repeats other callers have left to its sender, as far as the sender knows. */
  readonly asks: number;
}

/** The outcome of a data-sync that requests an answer. */
export type BeginResult =
  /** The caller answers it. `before` is the connection's previous row, absent at its first data-sync. */
  | { readonly kind: 'begun'; readonly lease: HeldLease; readonly before?: Connection }
  /** Another sender is answering the connection. It answers this request too. */
  | { readonly kind: 'left' }
  /** A newer data-sync of the connection arrived first. Only the newest is answered. */
  | { readonly kind: 'outdated' };

/** The outcome of an attempt to finish an answer. */
export type FinishResult =
  | { readonly kind: 'finished' }
  /** The lease expired and another answer began, or the connection is gone. */
  | { readonly kind: 'replaced' }
  /** A push has left a version newer than the one sent. The sender must send the changes. */
  | { readonly kind: 'changed' }
  /** A data-sync, or a push that must be repeated, was left. The sender must send a full reply to `registration`. */
  | { readonly kind: 'asked again'; readonly lease: HeldLease; readonly registration: Registration };

/** The lease that a sender requests on a connection. */
export interface Lease {
  /** New for each answer. A request repeated after a lost response uses the same id. */
  readonly answerId: string;
  /** How long pushes wait for the sender, in milliseconds. Must exceed the time its call may take. */
  readonly leaseMs: number;
}
