import { signal } from '@preact/signals';
import type { Document } from '../../../../shared/flags/document.ts';
import { documentId } from '../../../../shared/flags/document.ts';
import type { VersionedDocument } from '../../../api.ts';

/** An edit that is not saved yet. */
export interface Draft {
  /** What it began with. */
  readonly base: VersionedDocument;
  readonly document: Document;
}

/** By environment, kind and id: kept while somebody looks at something else. */
const drafts = signal<ReadonlyMap<string, Draft>>(new Map());

/** The edit of a document that is under way. */
export function draftOf(envId: string, stored: VersionedDocument): Draft | undefined {
  return drafts.value.get(nameOf(envId, stored));
}

/** Notes an edit; one that changes nothing is none. */
export function edit(envId: string, base: VersionedDocument, document: Document): void {
  const next = new Map(drafts.value);
  if (JSON.stringify(document.document) === JSON.stringify(base.document)) next.delete(nameOf(envId, base));
  else next.set(nameOf(envId, base), { base, document });
  drafts.value = next;
}

/** Forgets an edit. */
export function discard(envId: string, document: Document): void {
  const next = new Map(drafts.value);
  next.delete(nameOf(envId, document));
  drafts.value = next;
}

/** Whether anything would be lost by leaving the page. */
export function hasDrafts(): boolean {
  return drafts.value.size > 0;
}

function nameOf(envId: string, document: Document): string {
  return `${envId} ${document.kind} ${documentId(document)}`;
}
