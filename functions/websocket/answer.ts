import { patchesSince } from '../../shared/delivery/patch.ts';
import { replyTo } from '../../shared/delivery/reply.ts';
import { type PatchContents, parsePatchContents } from '../../shared/delivery/sdk.ts';
import { ItemTooLarge } from '../../shared/delivery/split.ts';
import { isSameUser, type User } from '../../shared/flags/user.ts';
import { type DataSyncRequest, MESSAGE_LIMIT_BYTES } from '../../shared/protocol/message.ts';
import { SECRET_TYPES, type SecretType } from '../../shared/protocol/secret.ts';
import type { Effects } from '../../shared/runtime/effects.ts';
import { retryUntil } from '../../shared/runtime/retry.ts';
import type { Answer, FinishResult } from '../../shared/store/answer.ts';
import type { Connection, Registration } from '../../shared/store/connection.ts';
import type { Connections } from '../../shared/store/connections.ts';
import { knownVersion } from '../../shared/store/deliveryState.ts';
import { StoreError } from '../../shared/store/errors.ts';
import type { SnapshotCache } from '../../shared/store/snapshotCache.ts';
import { type ConnectionSender, UncertainPost } from '../push/connectionSender.ts';
import { messageLimit } from '../push/messageLimit.ts';
import type { ConnectionContext } from './event.ts';

/** What answering needs. */
export interface AnswerDeps {
  readonly connections: Pick<Connections, 'find' | 'remove' | 'states' | 'unanswered'>;
  readonly snapshots: Pick<SnapshotCache, 'read'>;
  readonly sender: ConnectionSender;
  readonly effects: Pick<Effects, 'now' | 'random' | 'pause' | 'uuid'>;
}

/** How long an answer may take, in milliseconds. */
export interface AnswerTime {
  /** Pushes wait so long for the sender: longer than its call may take. */
  readonly leaseMs: number;
  /** When it gives up, unix milliseconds. */
  readonly deadline: number;
}

/** An answer that may have been begun. */
export type Lost = Pick<Answer, 'envId' | 'connectionId' | 'answerId'>;

/** Who asks: the connection, with the context of the connect authorizer. */
export interface Caller {
  readonly connectionId: string;
  readonly envId: string;
  readonly type: SecretType;
  /** Of the secret that the connection was opened with. */
  readonly secretId?: string | undefined;
  /** What a server-side SDK takes in one patch. */
  readonly patchContents: PatchContents;
  /** Unix milliseconds. */
  readonly requestedAt: number;
  /** As the authorizer made it, for the note that healing reads. */
  readonly context: ConnectionContext;
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
 * Where this sender fails or dies, what was left to it is not lost: the connection is noted for healing (heal.ts), which sends
 * everything. A first data-sync was noted by connect.ts, each later one is noted here.
 *
 * @throws when the table or API Gateway fails until the deadline
 * @throws {ItemTooLarge} when an item fits no message; the connection then gets nothing until it asks again
 */
export async function answerDataSync(
  deps: AnswerDeps,
  caller: Caller,
  request: DataSyncRequest,
  time: AnswerTime,
): Promise<AnswerResult> {
  const { connectionId: id, envId, type, secretId, requestedAt } = caller;
  const registered: Registration = { id, type, secretId, ...userOf(request), requestedAt };
  const lease = { answerId: deps.effects.uuid(), leaseMs: time.leaseMs };
  try {
    const begun = await persist(deps, time, () => deps.connections.states.begin(envId, registered, lease));
    if (begun.kind !== 'begun') return begun;
    const timestamp = trustedCursor(request, begun.before);
    const answering = sendAnswer(deps, caller, begun.answer, registered, timestamp, time);
    const [result] = await allSettled(answering, noteLater(deps, caller, begun.before));
    return result;
  } catch (error) {
    await giveUp(deps, [{ envId, connectionId: id, answerId: lease.answerId }], error);
    throw error;
  }
}

/** Sends replies until nobody has left anything to the sender, each after the environment was read. */
async function sendAnswer(
  deps: AnswerDeps,
  { envId, type, patchContents }: Caller,
  answer: Answer,
  newest: Registration,
  timestamp: number,
  time: AnswerTime,
): Promise<AnswerResult> {
  for (;;) {
    const { snapshot, version } = await persist(deps, time, () => deps.snapshots.read(envId));
    const messages = await refuseTooLarge(deps, [answer], () =>
      replyTo(snapshot, type, { timestamp, ...userOf(newest) }, patchContents).messages(MESSAGE_LIMIT_BYTES),
    );
    if (!(await postAll(deps, newest.id, messages, time))) return { kind: 'gone' };
    const finished = await finishAnswer(deps, answer, newest, version.updatedAt, time);
    switch (finished.kind) {
      case 'finished':
        return { kind: 'answered', requestedAt: newest.requestedAt };
      case 'asked again':
        if (deps.effects.now() > time.deadline) throw new Error('the connection asked again until time ended');
        ({ answer, registration: newest } = finished);
        timestamp = 0;
        break;
      case 'gone':
        return { kind: 'gone' };
      case 'replaced':
        return { kind: 'outdated' };
    }
  }
}

/**
 * Gives the right to send to a connection back, after all that was written since a version has been sent to it.
 *
 * @param registration whom it sends to
 * @param sentTo the version that the connection has
 * @returns `asked again` when the sender must answer once more, in full, before it may try again
 */
export async function finishAnswer(
  deps: AnswerDeps,
  answer: Answer,
  registration: Registration,
  sentTo: number,
  time: AnswerTime,
): Promise<Exclude<FinishResult, { kind: 'changed' }> | { readonly kind: 'gone' }> {
  const { connections, snapshots } = deps;
  for (;;) {
    const finished = await persist(deps, time, () => connections.states.finish(answer, sentTo));
    if (finished.kind !== 'changed') return finished;
    const { snapshot, version } = await persist(deps, time, () => snapshots.read(answer.envId));
    const patches = patchesSince(snapshot, registration, sentTo, messageLimit(answer.envId));
    if (!(await postAll(deps, registration.id, patches, time))) return { kind: 'gone' };
    sentTo = version.updatedAt;
  }
}

/**
 * Posts messages in order, each after API Gateway has taken the one before.
 *
 * @returns false when the connection is gone
 * @throws when time ends before the last one
 */
export async function postAll(
  { sender, effects }: AnswerDeps,
  connectionId: string,
  messages: readonly string[],
  { deadline }: AnswerTime,
): Promise<boolean> {
  for (const [n, message] of messages.entries()) {
    if (n > 0 && effects.now() > deadline) throw new Error(`time ended after ${n} of ${messages.length} messages`);
    if ((await sender.post(connectionId, message)) === 'gone') return false;
  }
  return true;
}

/** Makes messages. Where an item fits none of them, the connection gets nothing until it asks again. */
export async function refuseTooLarge(
  { connections }: AnswerDeps,
  answers: readonly Answer[],
  makeMessages: () => string[],
): Promise<string[]> {
  try {
    return makeMessages();
  } catch (error) {
    await Promise.all(answers.map((answer) => connections.states.refuse(answer)));
    throw error;
  }
}

/** Notes a connection that asks again. @param before the connection as it was before this data-sync */
export async function noteLater(
  { connections }: AnswerDeps,
  { connectionId: id, requestedAt: since, context }: Pick<Caller, 'connectionId' | 'requestedAt' | 'context'>,
  before: Connection | undefined,
): Promise<void> {
  if (before) await connections.unanswered.note({ id, since, context: { ...context } }).catch(ignoreError);
}

/**
 * Ends the leases of answers that failed. After a post whose message may still arrive they run on: the next request must not
 * be answered before it.
 */
export async function giveUp({ connections }: AnswerDeps, answers: readonly Lost[], error: unknown): Promise<void> {
  if (error instanceof UncertainPost) return;
  await Promise.all(answers.map((answer) => connections.states.giveUp(answer).catch(ignoreError)));
}

/** `Promise.all` that leaves nothing running behind an error. */
export async function allSettled<T extends readonly unknown[]>(
  ...promises: { [K in keyof T]: Promise<T[K]> }
): Promise<T> {
  await Promise.allSettled(promises);
  return Promise.all(promises) as unknown as Promise<T>;
}

/** Tries a step again until it succeeds or time ends, unless trying again cannot help. */
export function persist<T>({ effects }: AnswerDeps, { deadline }: AnswerTime, step: () => Promise<T>): Promise<T> {
  return retryUntil(effects, deadline, step, isTemporary);
}

function userOf({ user }: { readonly user?: User }): { readonly user?: User } {
  return user ? { user } : {};
}

/** Whether an error may pass: an item that is too large, or an environment that was deleted, stays so. */
export function isTemporary(error: unknown): boolean {
  return !(error instanceof ItemTooLarge || error instanceof StoreError);
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
  if (timestamp > knownVersion(before.state)) return 0;
  if (!user) return timestamp;
  const isMistakable =
    before.hasAskedBefore === true || (before.user?.keyId === user.keyId && !isSameUser(before.user, user));
  return isMistakable ? 0 : timestamp;
}

/** For steps that healing does over where they fail. */
export function ignoreError(): void {}
