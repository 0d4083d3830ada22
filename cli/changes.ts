import { leanDocumentJson } from '../shared/delivery/lean.ts';
import type { Document } from '../shared/flags/document.ts';
import { formatTimestamp } from '../shared/flags/timestamp.ts';
import { MESSAGE_LIMIT_BYTES } from '../shared/protocol/message.ts';
import { decodeDocument, type StoredDocument } from '../shared/store/item.ts';
import type { Session } from './command.ts';

/** Reports what a command has written: the document that it changed, then the flags that were updated with it. */
export function reportChanges(session: Session, written: readonly StoredDocument[], what: string): void {
  const changes = written.map(({ kind, id, updatedAt }) => ({ kind, id, updatedAt: formatTimestamp(updatedAt) }));
  for (const document of written) warnIfTooLargeToPush(session, document);
  const [first, ...others] = changes;
  if (!first) {
    session.result({ changes }, `no change: ${what} already (${session.where()})`);
    return;
  }
  const followers = others.map(({ kind, id }) => `${kind} "${id}"`).join(', ');
  session.result(
    { changes },
    `${what} (version ${first.updatedAt}, ${session.where()})${followers ? `; updated with it: ${followers}` : ''}`,
  );
}

/** A document may fit the table and be too large for a WebSocket message (docs/decisions/0006-large-replies.md). */
function warnIfTooLargeToPush(session: Session, stored: StoredDocument): void {
  const result = decodeDocument(stored);
  const document = { kind: stored.kind, document: result.ok ? result.value : undefined } as Document;
  const bytes = result.ok ? Buffer.byteLength(leanDocumentJson(document)) : 0;
  if (bytes <= MESSAGE_LIMIT_BYTES) return;
  session.note(
    `warning: ${stored.kind} "${stored.id}" takes ${bytes} bytes, more than the limit of ${MESSAGE_LIMIT_BYTES} bytes for a WebSocket message. ` +
      'Server-side SDKs that stream get no data from this environment until it is smaller; those that poll over HTTP do',
  );
}
