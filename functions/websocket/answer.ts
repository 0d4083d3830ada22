import { replyTo } from '../../shared/delivery/reply.ts';
import { type PatchContents, parsePatchContents } from '../../shared/delivery/sdk.ts';
import { isSameUser, type User } from '../../shared/flags/user.ts';
import type { DataSyncRequest } from '../../shared/protocol/message.ts';
import { SECRET_TYPES, type SecretType } from '../../shared/protocol/secret.ts';
import type { Answer } from '../../shared/store/connections/answer.ts';
import type { Connection, Registration } from '../../shared/store/connections/connection.ts';
import { knownVersion } from '../../shared/store/connections/deliveryState.ts';
import { messageLimit } from '../gateway/messageLimit.ts';
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
  type SyncOrigin,
} from './answerSteps.ts';
import type { ConnectionContext } from './event.ts';

/** The connection that asks, with the context of the connect authorizer. */
export interface Caller extends SyncOrigin {
  readonly envId: string;
  readonly type: SecretType;
  /** Id of the secret that opened the connection. */
  readonly secretId?: string | undefined;
  /** What a server-side SDK accepts in one patch. */
  readonly patchContents: PatchContents;
}

/**
 * The outcome of a data-sync:
 *
 * - `answered`: API Gateway accepted every message of the reply, and every change that was written meanwhile.
 * - `left`: another sender is answering the connection; it answers this request too.
 * - `outdated`: a newer data-sync of the connection is answered instead.
 * - `gone`: the connection is closed.
 */
export type AnswerResult =
  | { readonly kind: 'answered'; readonly requestedAt: number }
  | { readonly kind: 'left' | 'outdated' | 'gone' };

/**
 * Reads the caller from the context of the connect authorizer.
 *
 * @param requestedAt unix milliseconds
 * @throws if the context is incomplete
 */
export function readCaller(connectionId: string, context: ConnectionContext, requestedAt: number): Caller {
  const { envId, secretId } = context;
  const type = SECRET_TYPES.find((known) => known === context.type);
  if (!type || !envId) throw new Error('the context of the connect authorizer is missing');
  const patchContents = parsePatchContents(context.patchContents);
  return { connectionId, envId, type, secretId, patchContents, requestedAt, context };
}

/**
 * Answers a data-sync in four steps: take the right to send to the connection (the lease), read the environment, post the reply,
 * return the lease. A change arrives in one of three ways:
 *
 * - Committed before the environment is read: the reply contains it. Its push leaves its version to this sender.
 * - Committed after that: its push leaves its version to this sender, which posts the change after the reply.
 * - Committed after the lease is returned: its push goes to the connection.
 *
 * No other sender starts until API Gateway has accepted the whole reply, so nothing overtakes the reply. A push that was in
 * flight when the lease was taken was made for the former user. Its delivery repeats changes that the SDK may take for another
 * user's (push/sendToConnection.ts).
 *
 * If this sender fails or dies, nothing is lost: the connection is noted for healing (heal.ts), which answers it again.
 * Deliveries leave the connection to healing until then. connect.ts notes the first data-sync, this function each later one.
 *
 * @throws if the table or API Gateway fails until the deadline
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
    // Its $disconnect may have come before its row was written.
    if (result.kind === 'gone') await deps.connections.remove(envId, id).catch(ignoreError);
    return result;
  } catch (error) {
    await recordFailure(deps, [progress], error);
    throw error;
  }
}

/**
 * Sends replies until no push or data-sync is left to this sender. Reads the environment before each reply.
 *
 * @param progress updated with the version that was sent, for the next sender if this one fails
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
    const { bytes, onTooLarge } = messageLimit(envId);
    const reply = replyTo(snapshot, type, { timestamp, ...userOf(newest) }, patchContents);
    const parts = reply.parts(bytes, onTooLarge);
    const onTaken = (n: number) => {
      // A snapshot may contain items newer than the version up to which it is complete.
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
 * The cursor to answer from: the SDK's own, or 0 (everything) if the SDK's state is uncertain:
 *
 * - The connection may not have everything up to its cursor. A cursor covers all flags, so an SDK that got only one newer
 *   flag would never ask for the others.
 * - A client-side SDK may take a push for an earlier user as this user's: it distinguishes users by keyId only
 *   (docs/decisions/0003-snapshots.md).
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
