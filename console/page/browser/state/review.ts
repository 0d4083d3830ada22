import { signal } from '@preact/signals';
import type { Document } from '../../../../shared/flags/document.ts';
import type { VersionedDocument } from '../../../api.ts';

/** An edit to review. */
export interface Review {
  readonly title: string;
  /** Its effect, if the changes do not show it. */
  readonly note?: string | undefined;
  /** The document that it replaces. Undefined for a new document. */
  readonly base: VersionedDocument | undefined;
  readonly document: Document;
  /** Set if someone else stored a newer document before the review. */
  readonly theirs?: VersionedDocument | undefined;
  readonly onSaved?: () => void;
}

/** The edit under review. */
export const review = signal<Review | undefined>(undefined);

/** Starts the review of an edit. */
export function ask(about: Review): void {
  review.value = about;
}
