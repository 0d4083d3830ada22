import type { Snapshot } from '../evaluation/snapshot.ts';
import type { DataSyncRequest } from '../protocol/message.ts';
import type { SecretType } from '../protocol/secret.ts';
import { formatFor, formatReply } from './format.ts';
import type { PatchContents } from './sdk.ts';
import { isKnown, selectNewer, selectSince } from './selection.ts';
import { type OnTooLarge, type ReplyPart, splitReply } from './split.ts';

/** The reply to a data-sync. Its items are selected, its text is built on demand. */
export interface Reply {
  /** Whether the SDK is up to date: a patch without items. */
  readonly isEmpty: boolean;
  /** One message, of any size. */
  readonly text: () => string;
  /**
   * Messages of at most `limitBytes` each, to be sent in order; a single one if everything fits. An SDK that has data
   * receives newer items in patches. Go and Java SDKs refuse a `full` whose first part is older than their data, and
   * reconnect.
   *
   * Items that fit no message are left out, and so are flags that need them ({@link problemOfSending}).
   *
   * @param onTooLarge called for each flag that is too large for this client-side SDK
   */
  readonly parts: (limitBytes: number, onTooLarge?: OnTooLarge) => ReplyPart[];
}

/**
 * Answers a data-sync from an environment. It selects items (`selection.ts`), serializes them (`format.ts`) and splits
 * them into messages (`split.ts`).
 *
 * @param type type of the SDK's secret: client SDKs get evaluated flags, server SDKs the documents
 * @param patchContents what a server-side SDK accepts in one patch
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
    parts: (limitBytes, onTooLarge) => {
      const fitting = selectSince(snapshot, type, timestamp, limitBytes);
      const parts = splitReply(fitting, format, limitBytes, onTooLarge);
      return parts.length > 1 && timestamp > 0 && isKnown(snapshot, timestamp)
        ? splitReply(selectNewer(snapshot, type, timestamp, limitBytes), format, limitBytes)
        : parts;
    },
  };
}
