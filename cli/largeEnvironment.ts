import { leanReplyBytes } from '../shared/delivery/format.ts';
import { type Document, documentName } from '../shared/flags/document.ts';
import { MESSAGE_LIMIT_BYTES } from '../shared/protocol/message.ts';
import { readableDocument, type StoredDocument } from '../shared/store/documents/item.ts';
import { noteSdkDifferences } from './sdkNotes.ts';
import type { Session } from './session.ts';

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
