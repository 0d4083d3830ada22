import type { Document } from './document.ts';
import type { Flag } from './flag.ts';
import type { Segment } from './segment.ts';

/**
 * A document after its deletion. SDKs receive an archived document, operators do not see it, and its key is free. Without the document, an
 * offline SDK would keep its flag.
 */
export function asDeleted<T extends Flag | Segment>(document: T): T {
  return { ...document, isArchived: true, isDeleted: true };
}

/** A document after it was archived. */
export function asArchived({ kind, document }: Document): Document {
  return { kind, document: { ...document, isArchived: true } } as Document;
}

/** The documents that are not deleted. */
export function withoutDeleted<T extends Document>(documents: readonly T[]): T[] {
  return documents.filter(({ document }) => !document.isDeleted);
}

/** What was deleted, and how to restore it. For messages. The undo of an import would archive the rest of it. */
export function deletionText(name: string, { updatedAt }: Pick<Flag, 'updatedAt'>): string {
  return `${name} was deleted; \`undo ${updatedAt}\` restores it, unless it was imported as deleted`;
}
