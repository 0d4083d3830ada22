import { type Document, documentName } from '../flags/document.ts';
import { problemOfKey } from '../flags/flag.ts';
import { bytesAbove, problemOfSize, SENDABLE_BYTES } from '../flags/leanDocument.ts';
import { DocumentTooLarge, InvalidDocument } from './errors.ts';

/**
 * Checks that SDKs can receive a document that is about to be written. One that they cannot receive already can still be
 * changed if it does not grow, and deleted.
 *
 * @param earlier the stored document that it replaces
 * @throws {InvalidDocument} for a new flag with a key that no flag can have
 * @throws {DocumentTooLarge} with its name, its size and the limit
 */
export function requireWritable(document: Document, earlier: Document['document'] | undefined): void {
  const { kind } = document;
  const isNew = !earlier || (earlier.isDeleted && !document.document.isDeleted);
  const problem = isNew && kind === 'flag' ? problemOfKey(document.document.key) : undefined;
  if (problem !== undefined) {
    throw new InvalidDocument(
      `${documentName(document)} cannot be created: ${problem}; nothing was written. Choose another key`,
    );
  }
  const bytes = bytesAbove(SENDABLE_BYTES, document);
  if (bytes === undefined || (earlier && bytesAbove(bytes - 1, { kind, document: earlier } as Document))) return;
  throw new DocumentTooLarge(`${documentName(document)} ${problemOfSize(kind, bytes)}; nothing was written`);
}

/** {@link requireWritable} for several documents. @param stored those of the environment */
export function requireAllWritable(stored: readonly Document[], wanted: readonly Document[]): void {
  const earlier = new Map(stored.map((each) => [documentName(each), each.document]));
  for (const document of wanted) requireWritable(document, earlier.get(documentName(document)));
}
