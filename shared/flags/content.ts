import type { Document } from './document.ts';

/** Whether two flags or segments have the same content, in any version. */
export function isSame(a: Document['document'], b: Document['document']): boolean {
  return contentText(a) === contentText(b);
}

/** A flag or segment as JSON without its version. */
export function contentText(document: Document['document']): string {
  return JSON.stringify({ ...document, envId: undefined, updatedAt: undefined });
}
