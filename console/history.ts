import type { ChangeAction } from '../shared/flags/changeAction.ts';
import type { Document } from '../shared/flags/document.ts';

/** The most changes that one answer of the history holds. */
export const HISTORY_PAGE = 20;
/** The most changes that are searched for one answer; `next` continues behind them. */
export const HISTORY_SEARCHED = 1_000;
/** Maximum number of documents shown for one change, and of differences shown for each document. */
export const HISTORY_DOCUMENTS = 20;
export const HISTORY_DIFFERENCES = 100;

/** Which changes are asked for; what is not said does not matter. */
export interface HistoryQuery {
  /** Of one flag (by its key) or segment (by its id). */
  readonly kind?: 'flag' | 'segment';
  readonly id?: string;
  /** A part of the author's name, in any letter case. */
  readonly by?: string;
  readonly action?: ChangeAction;
  /** Unix milliseconds: from `since` on, before `until`. */
  readonly since?: number;
  readonly until?: number;
  /** A version: only changes before that one. */
  readonly before?: number;
}

export interface HistoryPage {
  readonly changes: readonly HistoryChange[];
  /** For `before` of the next request; undefined where there are no more. */
  readonly next?: number;
}

/** A change. */
export interface HistoryChange {
  /** By which it is known, and undone. */
  readonly version: number;
  /** Unix milliseconds. */
  readonly at: number;
  readonly by: string;
  readonly command: string;
  /** {@link HISTORY_DOCUMENTS} at most; without flags that only got a new version. */
  readonly documents: readonly ChangedDocument[];
  /** How many more it changed. */
  readonly moreDocuments: number;
}

/** Which connections have a change; by default, the newest one. */
export interface ReceiptQuery {
  /** The version of the change. */
  readonly version?: number;
}

/** How many connections have a change. */
export interface ChangeReceipt {
  /** Whether all connections certainly have it. */
  readonly isComplete: boolean;
  /** In few words: `live on 3 of 3 SDKs`. Empty without connections. */
  readonly live: string;
  readonly lines: readonly string[];
}

export interface ChangedDocument {
  readonly kind: Document['kind'];
  readonly id: string;
  readonly isNew: boolean;
  readonly action: ChangeAction;
  /** As `differences` of shared/flags says; {@link HISTORY_DIFFERENCES} at most, values of 2,000 characters at most. */
  readonly differences: readonly { readonly path: string; readonly before?: unknown; readonly after?: unknown }[];
  readonly moreDifferences: number;
}
