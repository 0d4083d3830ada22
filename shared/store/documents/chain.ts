import type { StoredDocument } from './item.ts';

/**
 * Whether documents are all that was written after one version and up to another. Each document names the version
 * before it, so a gap is visible.
 *
 * @param written ascending by `updatedAt`
 */
export function isUnbroken(
  written: readonly Pick<StoredDocument, 'updatedAt' | 'previous'>[],
  after: number,
  upTo: number,
): boolean {
  let at = after;
  for (const { previous, updatedAt } of written) {
    if (previous !== at) return false;
    at = updatedAt;
  }
  return at === upTo;
}
