import { effect, signal } from '@preact/signals';
import type { Document } from '../../../../shared/flags/document.ts';
import { documentId } from '../../../../shared/flags/document.ts';
import type { VersionedDocument } from '../../../api.ts';
import { type Draft, formatDrafts, parseDrafts } from '../../logic/keptDrafts.ts';

export type { Draft };

const KEY = 'drafts';

/** By environment, kind and id, the one edited last at the end. They are kept for this tab, also over a reload. */
const drafts = signal(parseDrafts(sessionStorage.getItem(KEY)));

effect(() => {
  const text = formatDrafts(drafts.value);
  try {
    sessionStorage.setItem(KEY, text);
  } catch {
    // The tab's storage is full: drafts are kept until the page is left.
    sessionStorage.removeItem(KEY);
  }
});

/** The draft of a document, where there is one. */
export function draftOf(envId: string, stored: VersionedDocument): Draft | undefined {
  return drafts.value.get(nameOf(envId, stored));
}

/** Keeps an edit; one that changes nothing is none. */
export function edit(envId: string, base: VersionedDocument, document: Document): void {
  const next = new Map(drafts.value);
  next.delete(nameOf(envId, base));
  if (JSON.stringify(document.document) !== JSON.stringify(base.document)) {
    next.set(nameOf(envId, base), { base, document });
  }
  drafts.value = next;
}

/** Forgets an edit. */
export function discard(envId: string, document: Document): void {
  const next = new Map(drafts.value);
  next.delete(nameOf(envId, document));
  drafts.value = next;
}

/** Whether anything would be lost by closing the tab. */
export function hasDrafts(): boolean {
  return drafts.value.size > 0;
}

function nameOf(envId: string, document: Document): string {
  return `${envId} ${document.kind} ${documentId(document)}`;
}
