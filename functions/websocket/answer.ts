import { replyTo } from '../../shared/delivery/reply.ts';
import { type PatchContents, parsePatchContents } from '../../shared/delivery/sdk.ts';
import { isSameUser, type User } from '../../shared/flags/user.ts';
import { type DataSyncRequest, MESSAGE_LIMIT_BYTES } from '../../shared/protocol/message.ts';
import { SECRET_TYPES, type SecretType } from '../../shared/protocol/secret.ts';
import type { Answer } from '../../shared/store/answer.ts';
import type { Connection, Registration } from '../../shared/store/connection.ts';
import { knownVersion } from '../../shared/store/deliveryState.ts';
import {
  type AnswerDeps,
  type AnswerProgress,
  type AnswerTime,
  allSettled,
  finishAnswer,
  ignoreError,
  noteLaterSync,
  persist,
  postAll,
  recordFailure,
  refuseTooLarge,
  type SyncOrigin,
} from './answerSteps.ts';
import type { ConnectionContext } from './event.ts';

/** Who asks: the connection, with the context of the connect authorizer. */
export interface Caller extends SyncOrigin {
  readonly envId: string;
  readonly type: SecretType;
  /** Of the secret that the connection was opened with. */
  readonly secretId?: string | undefined;
  /** What a server-side SDK takes in one patch. */
  readonly patchContents: PatchContents;
}

/**
 * What became of a data-sync:
 *
 * - `answered`: API Gateway has taken every message of the reply, and all that was written while they were sent.
 * - `left`: the sender that is answering the connection answers this request as well.
 * - `outdated`: a newer data-sync of the connection is answered in its place.
 * - `gone`: the connection is closed.
 */
export type AnswerResult =
  | { readonly kind: 'answered'; readonly requestedAt: number }
  | { readonly kind: 'left' | 'outdated' | 'gone' };

/**
 * Who asks, by the context of the connect authorizer.
 *
 * @param requestedAt unix milliseconds
 * @throws when the context is not that of a connection that was let in
 */
export function readCaller(connectionId: string, context: ConnectionContext, requestedAt: number): Caller {
  const { envId, secretId } = context;
  const type = SECRET_TYPES.find((known) => known === context.type);
  if (!type || !envId) throw new Error('the context of the connect authorizer is missing');
  const patchContents = parsePatchContents(context.patchContents);
  return { connectionId, envId, type, secretId, patchContents, requestedAt, context };
}

/**
 * Answers a data-sync. First it takes the right to send to the connection, then it reads the environment, then it sends
 * the reply, then it gives that right back. So a change lands in one of three places:
 *
 * - before the environment is read: the reply holds it, and its push, which leaves its version to this sender, has no more to say;
 * - after that: its push leaves its version to this sender, which sends the change after the reply;
 * - after the right was given back: its push goes to the connection.
 *
 * Nobody else begins to send until API Gateway has taken all of the reply, so nothing overtakes it. A push that is already on
 * its way when the right is taken was made for what the connection had before; its delivery repeats what may be mistaken for
 * another user's (push/sendToConnection.ts).
 *
 * Where this sender fails or dies, what was left to it is not lost: the connection is noted for healing (heal.ts), which answers
 * it anew, and deliveries leave it to healing until then. A first data-sync was noted by connect.ts, each later one is noted
 * here.
 *
 * @throws when the table or API Gateway fails until the deadline
 * @throws {ItemTooLarge} when an item fits no message; the connection then gets nothing until it asks again, or the
 *   environment changes
 */
export async function answerDataSync(
  deps: AnswerDeps,
  caller: Caller,
  request: DataSyncRequest,
  time: AnswerTime,
): Promise<AnswerResult> {
  const { connectionId: id, envId, type, secretId, patchContents, requestedAt } = caller;
  const registered: Registration = { id, type, secretId, patchContents, ...userOf(request), requestedAt };
  const lease = { answerId: deps.effects.uuid(), leaseMs: time.leaseMs };
  const progress: AnswerProgress = { envId, connectionId: id, answerId: lease.answerId };
  try {
    const begun = await persist(deps, time, () => deps.connections.states.begin(envId, registered, lease));
    if (begun.kind !== 'begun') return begun;
    const timestamp = trustedCursor(request, begun.before);
    if (begun.before && timestamp > 0) progress.sentTo = timestamp;
    const answering = sendAnswer(deps, caller, begun.answer, registered, timestamp, time, progress);
    const [result] = await allSettled(answering, noteLaterSync(deps, caller, begun.before));
    // Its disconnect may have come before its row.
    if (result.kind === 'gone') await deps.connections.remove(envId, id).catch(ignoreError);
    return result;
  } catch (error) {
    await recordFailure(deps, [progress], error);
    throw error;
  }
}

/**
 * Sends replies until nobody has left anything to the sender, each after the environment was read.
 *
 * @param progress kept at what has been sent, for the next sender should this one fail
 */
async function sendAnswer(
  deps: AnswerDeps,
  { envId, type, patchContents }: Caller,
  answer: Answer,
  newest: Registration,
  timestamp: number,
  time: AnswerTime,
  progress: AnswerProgress,
): Promise<AnswerResult> {
  for (;;) {
    const { snapshot, version } = await persist(deps, time, () => deps.snapshots.read(envId));
    const parts = await refuseTooLarge(deps, [{ answer, version: version.updatedAt }], () =>
      replyTo(snapshot, type, { timestamp, ...userOf(newest) }, patchContents).parts(MESSAGE_LIMIT_BYTES),
    );
    const onTaken = (n: number) => {
      // A snapshot may hold items that are newer than the version up to which it is complete.
      progress.sentTo = Math.min(parts[n]?.sentTo ?? version.updatedAt, version.updatedAt);
    };
    const texts = parts.map(({ text }) => text);
    if (!(await postAll(deps, newest.id, texts, time, { onTaken }))) return { kind: 'gone' };
    const finished = await finishAnswer(deps, answer, newest, version.updatedAt, time, progress);
    switch (finished.kind) {
      case 'finished':
        return { kind: 'answered', requestedAt: newest.requestedAt };
      case 'asked again':
        if (deps.effects.now() > time.deadline) throw new Error('the connection asked again until time ended');
        ({ answer, registration: newest } = finished);
        timestamp = 0;
        delete progress.sentTo;
        break;
      case 'gone':
        return { kind: 'gone' };
      case 'replaced':
        return { kind: 'outdated' };
    }
  }
}

function userOf({ user }: { readonly user?: User }): { readonly user?: User } {
  return user ? { user } : {};
}

/**
 * The cursor that a data-sync is answered by: the SDK's own, unless what the SDK has cannot be known. Then it is 0, for
 * everything:
 *
 * - The connection is not known to have what its cursor says. A cursor counts for all flags, so an SDK that got one newer
 *   flag alone would never ask for the others.
 * - A client-side SDK may mistake a push for an earlier user of its connection for this user's: it tells users apart by
 *   their keyId alone (docs/decisions/0003-snapshots.md).
 */
function trustedCursor({ timestamp, user }: DataSyncRequest, before: Connection | undefined): number {
  if (!before) return timestamp;
  const { state } = before;
  if (timestamp > knownVersion(state)) return 0;
  if (!user) return timestamp;
  const mayMistakePush =
    before.hasAskedBefore === true || (before.user?.keyId === user.keyId && !isSameUser(before.user, user));
  return mayMistakePush ? 0 : timestamp;
}
