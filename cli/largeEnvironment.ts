import { leanReplyBytes } from '../shared/delivery/lean.ts';
import type { Document } from '../shared/flags/document.ts';
import { MESSAGE_LIMIT_BYTES } from '../shared/protocol/message.ts';
import { decodeDocument, type StoredDocument } from '../shared/store/item.ts';
import type { Session } from './command.ts';
import { noteSdkDifferences } from './sdkNotes.ts';

/**
 * Writes to the chosen environment, and notes what of the change some SDKs take in another way ({@link noteSdkDifferences}). It warns
 * when the change takes the environment past what one message to a server-side SDK carries: not before, and not again while it stays
 * so (docs/decisions/0006-large-replies.md).
 *
 * @returns what was written
 */
export async function write(
  session: Session,
  change: (envId: string) => Promise<StoredDocument[]>,
): Promise<StoredDocument[]> {
  const { id, name } = await session.environment();
  const before = await session.store.documents.load(id);
  const written = await change(id);
  noteSdkDifferences(session, documentsIn(before), documentsIn(written));
  const bytes = replyBytes([...before, ...written]);
  if (bytes > MESSAGE_LIMIT_BYTES && replyBytes(before) <= MESSAGE_LIMIT_BYTES) {
    session.note(
      `warning: environment "${name}" takes ${bytes} bytes in a reply to a server-side SDK now, more than the limit of ` +
        `${MESSAGE_LIMIT_BYTES} bytes for a WebSocket message of API Gateway. There such SDKs get it in parts, and are ready when ` +
        'they have the first. Let those that can poll over HTTP, and others stream from the host, which has no such limit (docs/sdks.md, Large replies)',
    );
  }
  return written;
}

/** Of several versions of a document the last counts; one that cannot be read goes to no SDK. */
function replyBytes(stored: readonly StoredDocument[]): number {
  const latest = new Map(stored.map((document) => [`${document.kind} ${document.id}`, document]));
  return leanReplyBytes(documentsIn([...latest.values()]));
}

/** Those that can be read. */
function documentsIn(stored: readonly StoredDocument[]): Document[] {
  return stored.flatMap((each): Document[] => {
    const result = decodeDocument(each);
    return result.ok ? [{ kind: each.kind, document: result.value } as Document] : [];
  });
}
