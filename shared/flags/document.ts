import type { Flag } from './flag.ts';
import type { Segment } from './segment.ts';

/** A flag or a segment. */
export type Document =
  | { readonly kind: 'flag'; readonly document: Flag }
  | { readonly kind: 'segment'; readonly document: Segment };

/** The flag's key or the segment's id, which identifies a document in its environment. */
export function documentId({ kind, document }: Document): string {
  return kind === 'flag' ? document.key : document.id;
}

/** The name of a document in messages: `flag "my-flag"`. */
export function documentName(document: Document): string {
  return formatName({ kind: document.kind, id: documentId(document) });
}

/** {@link documentName} for a kind and an id. */
export function formatName({ kind, id }: { readonly kind: Document['kind']; readonly id: string }): string {
  return `${kind} "${id}"`;
}

/** The key of a flag or the name of a segment, which people know it by. */
export function displayName({ kind, document }: Document): string {
  return kind === 'flag' ? document.key : document.name;
}

/** {@link documentName} for people: with the name of a segment in place of its id. */
export function documentTitle(document: Document): string {
  return formatName({ kind: document.kind, id: displayName(document) });
}

/** The flags and the segments among documents, in the same order. */
export function byKind(documents: readonly Document[]): { readonly flags: Flag[]; readonly segments: Segment[] } {
  return {
    flags: documents.flatMap((each) => (each.kind === 'flag' ? [each.document] : [])),
    segments: documents.flatMap((each) => (each.kind === 'segment' ? [each.document] : [])),
  };
}

/** True if each word is in the key, name, description or tags of a document. */
export function hasWords({ kind, document }: Document, words: string): boolean {
  const own = kind === 'flag' ? [document.key, ...document.tags] : [document.id];
  const text = [...own, document.name, document.description].join('\n').toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
