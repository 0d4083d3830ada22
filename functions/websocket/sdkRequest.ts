import { replyTo } from '../../shared/delivery/reply.ts';
import { parsePatchContents } from '../../shared/delivery/sdk.ts';
import { isSameUser } from '../../shared/flags/user.ts';
import type { DataSyncRequest } from '../../shared/protocol/message.ts';
import type { Connection } from '../../shared/store/connections/connection.ts';
import { knownVersion } from '../../shared/store/connections/deliveryState.ts';
import { messageLimit } from '../gateway/messageLimit.ts';
import type { SyncRequest } from './answer.ts';
import type { Caller } from './event.ts';

/** The data-sync of an SDK. */
export function sdkRequest(caller: Caller, request: DataSyncRequest): SyncRequest {
  return {
    ...caller,
    registration: { ...caller.registration, ...(request.user && { user: request.user }) },
    cursorFor: (before) => trustedCursor(request, before),
    compose: (readings, newest, timestamp = 0) =>
      readings.flatMap(({ snapshot, version }) => {
        const { bytes, onTooLarge } = messageLimit(snapshot.envId);
        const patchContents = parsePatchContents(newest.patchContents);
        const parts = replyTo(snapshot, newest.type, { ...newest, timestamp }, patchContents).parts(bytes, onTooLarge);
        // A snapshot may contain items newer than the version up to which it is complete.
        const upTo = (sentTo = version.updatedAt) => Math.min(sentTo, version.updatedAt);
        return parts.map(({ text, sentTo }) => ({ text, sentTo: upTo(sentTo) }));
      }),
  };
}

/**
 * The cursor to answer from: the SDK's own, or 0 (everything) if the SDK's state is uncertain:
 *
 * - The connection may not have everything up to its cursor. A cursor covers all flags, so an SDK that got only one newer
 *   flag would never ask for the others.
 * - A client-side SDK may take a push for an earlier user as this user's: it distinguishes users by keyId only
 *   (docs/decisions/0003-snapshots.md).
 */
function trustedCursor({ timestamp, user }: DataSyncRequest, before: Connection | undefined): number {
  if (!before) return timestamp;
  if (timestamp > knownVersion(before.state)) return 0;
  if (!user) return timestamp;
  const mayMistakePush =
    before.hasAskedBefore === true || (before.user?.keyId === user.keyId && !isSameUser(before.user, user));
  return mayMistakePush ? 0 : timestamp;
}
