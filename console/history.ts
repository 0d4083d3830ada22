import type { Change } from '../shared/describe/documentChanges.ts';
import type { ChangeAction } from '../shared/flags/changeAction.ts';
import type { Document } from '../shared/flags/document.ts';

/** Maximum number of changes in one answer. */
export const HISTORY_PAGE = 20;
/** Maximum number of changes searched for one answer. `next` continues after them. */
export const HISTORY_SEARCHED = 1_000;
/** Maximum number of documents shown for one change, and of differences of each document. */
export const HISTORY_DOCUMENTS = 20;
export const HISTORY_DIFFERENCES = 100;

export interface HistoryPage {
  readonly changes: readonly HistoryChange[];
  /** For `before` of the next request; undefined where there are no more. */
  readonly next?: number;
}

/** A change. */
export interface HistoryChange {
  readonly version: number;
  /** Unix milliseconds. */
  readonly at: number;
  readonly by: string;
  readonly command: string;
  /** The person's id at the identity provider, if they were signed in. IAM prevents others from writing it. */
  readonly signedBy?: string;
  /** The requested ones, at most {@link HISTORY_DOCUMENTS}, without flags that only got a new version. */
  readonly documents: readonly ChangedDocument[];
  /** Number of other documents that it changed. */
  readonly moreDocuments: number;
}

/** The connections that have a change. */
export interface ChangeReceipt {
  /** True if all connections have it. */
  readonly isComplete: boolean;
  /** For example `live on 3 of 3 SDKs in 0.1 s`. Empty without connections. */
  readonly live: string;
  readonly lines: readonly string[];
}

export interface ChangedDocument {
  readonly kind: Document['kind'];
  readonly id: string;
  readonly isNew: boolean;
  readonly action: ChangeAction;
  /** At most {@link HISTORY_DIFFERENCES}, with values of at most 2,000 characters. Empty if it is new. */
  readonly changes: readonly Change[];
  /** Number of other differences. */
  readonly moreChanges: number;
}
