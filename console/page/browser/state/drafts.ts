import { effect, signal } from '@preact/signals';
import { type Document, documentId } from '../../../../shared/flags/document.ts';
import type { VersionedDocument } from '../../../api.ts';

/** An unsaved edit. */
export interface Draft {
  /** The stored document that was edited. */
  readonly base: VersionedDocument;
  readonly document: Document;
}

const KEY = 'unsaved';

/** Drafts by environment, kind and id, the latest edit last. They are kept for this tab. */
const drafts = signal<ReadonlyMap<string, Draft>>(keptDrafts());

effect(() => {
  const text = JSON.stringify([...drafts.value]);
  try {
    sessionStorage.setItem(KEY, text);
  } catch {
    // The tab's storage is full: drafts are kept until the page is left.
    sessionStorage.removeItem(KEY);
  }
});

/** The draft of a document, if any. */
export function draftOf(envId: string, stored: VersionedDocument): Draft | undefined {
  return drafts.value.get(nameOf(envId, stored));
}

/** Whether someone else changed a document after it was edited. */
export function isOutdated({ base }: Draft, stored: VersionedDocument): boolean {
  return stored.version !== base.version && JSON.stringify(stored.document) !== JSON.stringify(base.document);
}

/** Stores an edit as a draft. An edit without changes removes the draft. */
export function edit(envId: string, base: VersionedDocument, document: Document): void {
  const others = draftsWithout(envId, base);
  const isChanged = JSON.stringify(document.document) !== JSON.stringify(base.document);
  drafts.value = isChanged ? new Map([...others, [nameOf(envId, base), { base, document }]]) : others;
}

/** Forgets an edit. */
export function discard(envId: string, document: Document): void {
  drafts.value = draftsWithout(envId, document);
}

/** True if closing the tab would lose an edit. */
export function hasDrafts(): boolean {
  return drafts.value.size > 0;
}

/** The drafts of before a reload. Another program at this address may have written something else. */
function keptDrafts(): ReadonlyMap<string, Draft> {
  try {
    return new Map(JSON.parse(sessionStorage.getItem(KEY) ?? '[]'));
  } catch {
    return new Map();
  }
}

function draftsWithout(envId: string, document: Document): ReadonlyMap<string, Draft> {
  return new Map([...drafts.value].filter(([name]) => name !== nameOf(envId, document)));
}

function nameOf(envId: string, document: Document): string {
  return `${envId} ${document.kind} ${documentId(document)}`;
}
