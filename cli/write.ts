import { leanReplyBytes } from '../shared/delivery/format.ts';
import { addedSdkDifferences } from '../shared/describe/sdks/sdkDifferences.ts';
import { type Document, documentName, documentTitle } from '../shared/flags/document.ts';
import { MESSAGE_LIMIT_BYTES } from '../shared/protocol/message.ts';
import { readableDocument, type StoredDocument } from '../shared/store/documents/item.ts';
import type { Session } from './session.ts';
import { firstOf } from './text.ts';

/** Maximum number of notes on differences of SDKs, and of documents named in each. */
const MAX_NOTES = 5;
const MAX_NAMED_DOCUMENTS = 3;

/**
 * Writes to the chosen environment. For production, the operator confirms first. It notes differences of SDKs ({@link
 * noteSdkDifferences}) and warns if the environment exceeds a message ({@link sizeWarnings}).
 *
 * @returns the written documents
 */
export async function write(
  session: Session,
  change: (envId: string) => Promise<StoredDocument[]>,
): Promise<StoredDocument[]> {
  const { id, name } = await session.environmentToChange(await session.environment());
  const before = documentsIn(await session.store.documents.load(id));
  const written = await change(id);
  noteSdkDifferences(session, before, documentsIn(written));
  for (const warning of sizeWarnings(name, before, documentsIn(written))) session.note(`warning: ${warning}`);
  return written;
}

/**
 * The warning when an environment first exceeds the size of a message to a server-side SDK
 * (docs/decisions/0006-large-replies.md).
 *
 * @param before the documents of the environment
 * @param after the documents that are written, or would be
 */
export function sizeWarnings(environment: string, before: readonly Document[], after: readonly Document[]): string[] {
  const bytes = replyBytes([...before, ...after]);
  if (bytes <= MESSAGE_LIMIT_BYTES || replyBytes(before) > MESSAGE_LIMIT_BYTES) return [];
  return [
    `with this change, environment "${environment}" takes ${bytes} bytes in a reply to a server-side SDK. API Gateway's limit ` +
      `for a WebSocket message is ${MESSAGE_LIMIT_BYTES} bytes. There such SDKs get the reply in parts, and are ready after the first ` +
      'part. Let SDKs poll over HTTP, or stream from the host, which has no such limit (docs/sdks.md, Large replies)',
  ];
}

/** Of several versions of a document, the last counts. */
function replyBytes(documents: readonly Document[]): number {
  return leanReplyBytes([...new Map(documents.map((document) => [documentName(document), document])).values()]);
}

/** The readable documents. SDKs receive no others. */
function documentsIn(stored: readonly StoredDocument[]): Document[] {
  return stored.flatMap((each) => readableDocument(each) ?? []);
}

/**
 * Notes new conditions that SDKs evaluate differently, one line for each difference.
 *
 * @param before the documents of the environment
 * @param after the written documents
 */
export function noteSdkDifferences(
  session: Pick<Session, 'note'>,
  before: readonly Document[],
  after: readonly Document[],
): void {
  const earlier = new Map(before.map((document) => [documentTitle(document), document]));
  const found = new Map<string, string[]>();
  for (const document of after) {
    const title = documentTitle(document);
    for (const difference of addedSdkDifferences(earlier.get(title), document))
      found.set(difference, [...(found.get(difference) ?? []), title]);
  }
  const note = (text: string) =>
    session.note(`note: FeatBit's server-side SDKs differ in ${text} (docs/flags.md, "Differences between SDKs")`);
  for (const [difference, titles] of [...found].slice(0, MAX_NOTES))
    note(`the rules of ${firstOf(titles, MAX_NAMED_DOCUMENTS)}: ${difference}`);
  if (found.size > MAX_NOTES) note(`${found.size - MAX_NOTES} more ways`);
}
