import { patchesSince } from '../../shared/delivery/patch.ts';
import { isSameRegistration, type Registration } from '../../shared/store/connection.ts';
import type { Connections } from '../../shared/store/connections.ts';
import { REPLY_GRACE_MS } from '../../shared/store/deliveryState.ts';
import { retryUntil } from '../../shared/store/retry.ts';
import type { Reading, SnapshotCache } from '../../shared/store/snapshotCache.ts';
import type { ConnectionSender } from '../push/connectionSender.ts';
import { messageLimit } from '../push/messageLimit.ts';

/**
 * How often is looked whether the connection has asked again. SDKs are ready after the first message, so that nothing else may
 * come between the parts; the answer to another data-sync waits longer than this (answer.ts).
 */
const LOOK_EVERY_MS = REPLY_GRACE_MS / 4;

/** One data-sync whose answer takes several messages. */
export interface PartedReply {
  readonly connections: Pick<Connections, 'find' | 'finishBusy'>;
  readonly snapshots: Pick<SnapshotCache, 'read'>;
  readonly sender: ConnectionSender;
  readonly now: () => number;
  readonly envId: string;
  /** The connection, marked as busy. */
  readonly registration: Registration;
  readonly messages: readonly string[];
  /** What the messages were made from. */
  readonly reading: Reading;
  /** Until when requests to the table are retried, unix milliseconds. */
  readonly deadline: number;
}

/** What was sent: all of it; or less, as the connection was gone, or had asked again. */
export type PartsSent = 'all' | 'gone' | 'replaced';

/**
 * Sends an answer of several messages in order, then what was written meanwhile, one item a patch. A push to a connection
 * that is busy leaves its change to this sender, which ends only when all of these are sent. Soon after the connection has
 * asked again nothing more is sent: the next answer holds everything, perhaps for another user.
 *
 * @throws when it fails: the connection stays busy for its time; then it is healed, or the next change brings it the rest
 */
export async function sendInParts(reply: PartedReply): Promise<PartsSent> {
  const { connections, snapshots, envId, registration, deadline } = reply;
  const mayGoOn = lookNowAndThen(reply);
  let sent = await post(reply, mayGoOn, reply.messages);
  let sentTo = reply.reading.version.updatedAt;
  let repeatedAfter: number | undefined;
  while (sent === 'all') {
    const { snapshot, version } = await retryUntil(deadline, () => snapshots.read(envId));
    if (version.updatedAt > sentTo) {
      sent = await post(reply, mayGoOn, patchesSince(snapshot, registration, sentTo, messageLimit(envId)));
      sentTo = version.updatedAt;
    } else {
      const finish = () => connections.finishBusy(envId, registration, sentTo, repeatedAfter);
      const left = await retryUntil(deadline, finish);
      if (left === undefined) return sent;
      if (left < sentTo) repeatedAfter = left;
      sentTo = left;
    }
  }
  return sent;
}

/** Sends messages one after another. */
async function post(
  { sender, registration }: PartedReply,
  mayGoOn: () => Promise<boolean>,
  messages: readonly string[],
): Promise<PartsSent> {
  for (const message of messages) {
    if (!(await mayGoOn())) return 'replaced';
    if ((await sender.post(registration.id, message)) === 'gone') return 'gone';
  }
  return 'all';
}

/** Tells whether the connection is there and has not asked again, as of a moment ago at most. */
function lookNowAndThen({ connections, now, envId, registration, deadline }: PartedReply): () => Promise<boolean> {
  let lookedAt = Number.NEGATIVE_INFINITY;
  return async () => {
    if (now() - lookedAt < LOOK_EVERY_MS) return true;
    const current = await retryUntil(deadline, () => connections.find(envId, registration.id));
    lookedAt = now();
    return current !== undefined && isSameRegistration(current, registration);
  };
}
