import { signal } from '@preact/signals';
import type { Document } from '../../../../shared/flags/document.ts';
import type { VersionedDocument } from '../../../api.ts';

/** An edit that somebody wants to save. */
export interface Review {
  readonly title: string;
  /** What it means, where its changes do not say so. */
  readonly note?: string | undefined;
  /** What it takes the place of; undefined for a new document. */
  readonly base: VersionedDocument | undefined;
  readonly document: Document;
  /** Already stored by somebody else when the review begins. */
  readonly theirs?: VersionedDocument | undefined;
  readonly onSaved?: () => void;
}

/** The edit that is shown before it is saved. */
export const review = signal<Review | undefined>(undefined);

/** Shows an edit, and lets it be saved. */
export function ask(about: Review): void {
  review.value = about;
}
