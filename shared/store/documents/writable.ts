import { problemOfExpressions } from '../../evaluation/problemOfExpressions.ts';
import { type Document, documentName, formatName } from '../../flags/document.ts';
import { type Flag, problemOfKey } from '../../flags/flag.ts';
import { bytesAbove, problemOfSize, SENDABLE_BYTES } from '../../flags/leanDocument.ts';
import { problemOfText } from '../../flags/wellFormed.ts';
import { DocumentTooLarge, InvalidDocument } from '../table/errors.ts';

/**
 * Checks that SDKs can receive a document that is about to be written. One that they cannot receive already can still be
 * changed if it does not grow, deleted, and restored.
 *
 * @param earlier the stored document that it replaces
 * @throws {InvalidDocument} for a key that server-side SDKs do not receive, unless the stored flag has it, for half of a character, and
 *   for regular expressions over the limit
 * @throws {DocumentTooLarge} with its name, its size and the limit
 */
export function requireWritable(document: Document, earlier: Document['document'] | undefined): void {
  const { kind } = document;
  // What was deleted excuses nothing that takes its place, only its own return.
  const isSuccessor = earlier?.isDeleted && !document.document.isDeleted && earlier.id !== document.document.id;
  const before = earlier && !isSuccessor ? ({ kind, document: earlier } as Document) : undefined;
  const ofKey = kind === 'flag' && !before ? problemOfKey(document.document.key) : undefined;
  const problem = ofKey ?? problemOfText(document.document) ?? problemOfExpressions(document, before);
  if (problem !== undefined) {
    throw new InvalidDocument(`${documentName(document)} would not be valid: ${problem}; nothing was written`);
  }
  const bytes = bytesAbove(SENDABLE_BYTES, document);
  if (bytes === undefined) return;
  // A flag that is turned off grows by a byte.
  const { isArchived, isEnabled, name } = document.document as Flag;
  const likewise = before && ({ kind, document: { ...before.document, isArchived, isEnabled } } as Document);
  if (likewise && bytesAbove(bytes - 1, likewise)) return;
  const shown = kind === 'segment' && name ? formatName({ kind, id: name }) : documentName(document);
  throw new DocumentTooLarge(`${shown} ${problemOfSize(kind, bytes)}; nothing was written`);
}

/** {@link requireWritable} for several documents. @param stored those of the environment */
export function requireAllWritable(stored: readonly Document[], wanted: readonly Document[]): void {
  const earlier = new Map(stored.map((each) => [documentName(each), each.document]));
  for (const document of wanted) requireWritable(document, earlier.get(documentName(document)));
}
