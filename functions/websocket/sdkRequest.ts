import { replyTo } from '../../shared/delivery/reply.ts';
import { parsePatchContents } from '../../shared/delivery/sdk.ts';
import type { DataSyncRequest } from '../../shared/protocol/message.ts';
import { outboundLimit } from '../gateway/outboundLimit.ts';
import type { Caller, SyncRequest } from './event.ts';

/** The data-sync of an SDK. */
export function sdkRequest(caller: Caller, request: DataSyncRequest): SyncRequest {
  return {
    ...caller,
    registration: { ...caller.registration, ...(request.user && { user: request.user }) },
    timestamp: request.timestamp,
    replyMessages: (readings, newest, cursor = 0) =>
      readings.flatMap(({ snapshot, version }) => {
        const { bytes, onTooLarge } = outboundLimit(snapshot.envId);
        const patchContents = parsePatchContents(newest.patchContents);
        const parts = replyTo(snapshot, newest.type, { ...newest, timestamp: cursor }, patchContents).parts(
          bytes,
          onTooLarge,
        );
        // A snapshot may contain items newer than the version up to which it is complete.
        const upTo = (sentTo = version.updatedAt) => Math.min(sentTo, version.updatedAt);
        return parts.map(({ text, sentTo }) => ({ text, sentTo: upTo(sentTo) }));
      }),
  };
}
