import type { Flag } from './flag.ts';
import type { Segment } from './segment.ts';

/** A flag or a segment. */
export type Document =
  | { readonly kind: 'flag'; readonly document: Flag }
  | { readonly kind: 'segment'; readonly document: Segment };

/** The flag's key or the segment's id: what a document is known by in its environment. */
export function documentId({ kind, document }: Document): string {
  return kind === 'flag' ? document.key : document.id;
}
