import type { Violation } from '../../../support/sdkModel/sessions.ts';

/** Faults of the service: violations of what a reader must be sent, and others. */
export const FAULTS = [
  ...(['lost', 'duplicate', 'stale', 'out of order', 'malformed'] satisfies Violation[]),
  /** A data-sync on an open connection without an answer. */
  'unanswered',
  /** A reader with a valid secret was refused permanently: 401, 403, or closed with 4003 or 1000. */
  'refused',
] as const;

export type Fault = (typeof FAULTS)[number];

/** Called with each fault and its description. */
export type Report = (fault: Fault, what: string) => void;
