import type { Snapshot } from '../evaluation/snapshot.ts';
import type { DataSyncRequest } from '../protocol/message.ts';
import type { SecretType } from '../protocol/secret.ts';
import { formatFor, formatReply } from './format.ts';
import type { PatchContents } from './sdk.ts';
import { selectNewer, selectSince } from './selection.ts';
import { type ReplyPart, splitReply } from './split.ts';

/** The reply to a data-sync. What it holds is decided; its text is made when it is asked for. */
export interface Reply {
  /** Whether the SDK has everything already: a patch without items. */
  readonly isEmpty: boolean;
  /** One message, of any size. */
  readonly text: () => string;
  /**
   * Messages of at most so many bytes, to be sent in order; one where everything fits. Otherwise an SDK that has data
   * already is given what is newer, in patches: Go and Java SDKs refuse a `full` whose first part is older than what they
   * have, and reconnect.
   *
   * @throws {ItemTooLarge} when no message can carry an item; nothing is to be sent then
   */
  readonly parts: (limitBytes: number) => ReplyPart[];
}

/**
 * Answers a data-sync from an environment: which items (`selection.ts`), as JSON (`format.ts`), in as many messages as it
 * takes (`split.ts`).
 *
 * @param type of the secret that the SDK connected with: client SDKs get evaluated flags, server SDKs the documents
 * @param patchContents what a server-side SDK takes in one patch
 * @throws {RangeError} for client type without a user
 */
export function replyTo(
  snapshot: Snapshot,
  type: SecretType,
  { timestamp, user }: DataSyncRequest,
  patchContents?: PatchContents,
): Reply {
  const format = formatFor(type, user, patchContents);
  const selection = selectSince(snapshot, type, timestamp);
  return {
    isEmpty: selection.eventType === 'patch' && selection.flags.length + selection.segments.length === 0,
    text: () => formatReply(selection, format),
    parts: (limitBytes) => {
      const parts = splitReply(selection, format, limitBytes);
      const hasData = timestamp > 0 && timestamp <= snapshot.version;
      return parts.length > 1 && hasData
        ? splitReply(selectNewer(snapshot, type, timestamp), format, limitBytes)
        : parts;
    },
  };
}
