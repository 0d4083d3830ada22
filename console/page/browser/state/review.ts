import { signal } from '@preact/signals';
import type { Document } from '../../../../shared/flags/document.ts';
import type { EnvironmentName, VersionedDocument } from '../../../api.ts';
import type { HistoryChange } from '../../../history.ts';
import { find } from './content.ts';
import { draftOf, isOutdated } from './drafts.ts';
import { route } from './route.ts';

/** An edit to review. */
export interface Review {
  readonly title: string;
  /** Its effect, if the changes do not show it. */
  readonly note?: string | undefined;
  /** The document that it replaces. */
  readonly base: VersionedDocument;
  readonly document: Document;
  /** Set if someone else stored a newer document before the review. */
  readonly theirs?: VersionedDocument | undefined;
  readonly onSaved?: () => void;
}

/** The edit under review. */
export const review = signal<Review | undefined>(undefined);

/** The change in the undo dialog. */
export const undoing = signal<{ readonly environment: EnvironmentName; readonly change: HistoryChange } | undefined>(
  undefined,
);

/** Starts the review of the draft of the shown flag or segment, if it has one. */
export function askToSave(): void {
  const { envId = '', view, id = '' } = route.value;
  const stored = find(view === 'flags' ? 'flag' : 'segment', id);
  const draft = stored && draftOf(envId, stored);
  if (!draft) return;
  const name = stored.kind === 'flag' ? stored.document.key : stored.document.name;
  ask({ title: `Save ${name}`, ...draft, ...(isOutdated(draft, stored) ? { theirs: stored } : {}) });
}

/** Starts the review of an edit. */
export function ask(about: Review): void {
  review.value = about;
}
