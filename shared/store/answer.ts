import type { Connection, Registration } from './connection.ts';

/** An answer that was begun: the right to send to a connection until its lease expires. */
export interface Answer {
  readonly envId: string;
  readonly connectionId: string;
  readonly answerId: string;
  /** How many requests and repeats others have left to it, as far as its sender knows. */
  readonly asks: number;
}

/** What became of a data-sync that wants to be answered. */
export type BeginResult =
  /** The caller answers it. `before` is the connection as it was; absent at its first data-sync. */
  | { readonly kind: 'begun'; readonly answer: Answer; readonly before?: Connection }
  /** Somebody is answering the connection: that sender answers this request as well. */
  | { readonly kind: 'left' }
  /** A newer data-sync of the connection came first: only the newest is answered. */
  | { readonly kind: 'outdated' };

/** What became of an answer whose sender wants to finish it. */
export type FinishResult =
  | { readonly kind: 'finished' }
  /** The lease has expired and another answer was begun, or the connection is gone. */
  | { readonly kind: 'replaced' }
  /** A push has left a version that is newer than what was sent: the sender must send the changes. */
  | { readonly kind: 'changed' }
  /** A data-sync, or a push that must be repeated, was left: the sender must send a full reply to `registration`. */
  | { readonly kind: 'asked again'; readonly answer: Answer; readonly registration: Registration };

/** A lease on a connection that a sender asks for. */
export interface Lease {
  /** New for each answer. A request that is repeated, as its response was lost, takes the same one. */
  readonly answerId: string;
  /** How long pushes wait for the sender, in milliseconds: longer than its call may take. */
  readonly leaseMs: number;
}
