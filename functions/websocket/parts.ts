import { patchesSince } from '../../shared/delivery/patch.ts';
import { isSameRegistration, type Registration } from '../../shared/store/connection.ts';
import type { Connections } from '../../shared/store/connections.ts';
import { retryUntil } from '../../shared/store/retry.ts';
import type { Reading, SnapshotCache } from '../../shared/store/snapshotCache.ts';
import type { ConnectionSender } from '../push/connectionSender.ts';
import { messageLimit } from '../push/messageLimit.ts';

/** One data-sync whose answer takes several messages. */
export interface PartedReply {
  readonly connections: Pick<Connections, 'find' | 'finishBusy'>;
  readonly snapshots: Pick<SnapshotCache, 'read'>;
  readonly sender: ConnectionSender;
  readonly envId: string;
  /** The connection, marked as busy. */
  readonly registration: Registration;
  readonly messages: readonly string[];
  /** What the messages were made from. */
  readonly reading: Reading;
  /** Until when requests to the table are retried, unix milliseconds. */
  readonly deadline: number;
}

/**
 * Sends an answer of several messages in order, then what was written meanwhile, one item a patch. A push to a connection
 * that is busy leaves its change to this sender, which ends only when all of these are sent. When the connection asks again,
 * nothing more is sent: the next answer holds everything, perhaps for another user.
 *
 * @throws when it fails: the connection stays busy for its time, and the next change after that brings it the rest
 */
export async function sendInParts(reply: PartedReply): Promise<void> {
  const { connections, snapshots, envId, registration, deadline } = reply;
  let goesOn = await post(reply, reply.messages);
  let sentTo = reply.reading.version.updatedAt;
  let repeatedAfter: number | undefined;
  while (goesOn) {
    const { snapshot, version } = await retryUntil(deadline, () => snapshots.read(envId));
    if (version.updatedAt > sentTo) {
      goesOn = await post(reply, patchesSince(snapshot, registration, sentTo, messageLimit(envId)));
      sentTo = version.updatedAt;
    } else {
      const finish = () => connections.finishBusy(envId, registration, sentTo, repeatedAfter);
      const left = await retryUntil(deadline, finish);
      if (left === undefined) return;
      if (left < sentTo) repeatedAfter = left;
      sentTo = left;
    }
  }
}

/** Sends messages one after another. @returns false when the connection is gone, or has asked again */
async function post(
  { connections, sender, envId, registration, deadline }: PartedReply,
  messages: readonly string[],
): Promise<boolean> {
  for (const message of messages) {
    const current = await retryUntil(deadline, () => connections.find(envId, registration.id));
    if (!current || !isSameRegistration(current, registration)) return false;
    if ((await sender.post(registration.id, message)) === 'gone') return false;
  }
  return true;
}
