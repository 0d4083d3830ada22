import { patchesSince } from '../../shared/delivery/patch.ts';
import { ItemTooLarge } from '../../shared/delivery/split.ts';
import type { Effects } from '../../shared/runtime/effects.ts';
import { retryUntil } from '../../shared/runtime/retry.ts';
import type { Answer, FinishResult } from '../../shared/store/answer.ts';
import type { Connection, Registration } from '../../shared/store/connection.ts';
import type { Connections } from '../../shared/store/connections.ts';
import { StoreError } from '../../shared/store/errors.ts';
import type { SnapshotCache } from '../../shared/store/snapshotCache.ts';
import { type ConnectionSender, UncertainPost } from '../push/connectionSender.ts';
import { messageLimit } from '../push/messageLimit.ts';
import type { Pace } from '../push/pace.ts';
import type { ConnectionContext } from './event.ts';

/** What answering needs. */
export interface AnswerDeps {
  readonly connections: Pick<Connections, 'find' | 'remove' | 'states' | 'unanswered'>;
  readonly snapshots: Pick<SnapshotCache, 'read'>;
  readonly sender: ConnectionSender;
  /** The instance's pace of what follows the first message of a reply; any unless given. */
  readonly pace?: Pick<Pace, 'turn'>;
  readonly effects: Pick<Effects, 'now' | 'random' | 'pause' | 'uuid'>;
}

/** How long an answer may take, in milliseconds. */
export interface AnswerTime {
  /** Pushes wait so long for the sender: longer than its call may take. */
  readonly leaseMs: number;
  /** When it gives up, unix milliseconds. */
  readonly deadline: number;
  /** For how long a step at the table is tried again; until the deadline unless given. */
  readonly retryMs?: number;
}

/** An answer that may have been begun, and how far it came. */
export interface AnswerProgress extends Pick<Answer, 'envId' | 'connectionId' | 'answerId'> {
  /** The version up to which the connection was sent the reply; absent where nothing is known to have arrived. */
  sentTo?: number;
}

/**
 * Gives the right to send to a connection back, after all that was written since a version has been sent to it.
 *
 * @param registration whom it sends to
 * @param sentTo the version that the connection has
 * @param progress kept at what has been sent, for the next sender should this fail
 * @returns `asked again` when the sender must answer once more, in full, before it may try again
 */
export async function finishAnswer(
  deps: AnswerDeps,
  answer: Answer,
  registration: Registration,
  sentTo: number,
  time: AnswerTime,
  progress?: AnswerProgress,
): Promise<Exclude<FinishResult, { kind: 'changed' }> | { readonly kind: 'gone' }> {
  const { connections, snapshots } = deps;
  for (;;) {
    const finished = await persist(deps, time, () => connections.states.finish(answer, sentTo));
    if (finished.kind !== 'changed') return finished;
    if (deps.effects.now() > time.deadline) throw new Error('time ended while changes kept coming');
    const { snapshot, version } = await persist(deps, time, () => snapshots.read(answer.envId));
    const patches = patchesSince(snapshot, registration, sentTo, messageLimit(answer.envId));
    if (!(await postAll(deps, registration.id, patches, time, { isBegun: true }))) return { kind: 'gone' };
    sentTo = version.updatedAt;
    if (progress) progress.sentTo = sentTo;
  }
}

/**
 * Posts messages in order, each after API Gateway has taken the one before. What follows the first one is sent at the
 * instance's pace, and again until time ends where API Gateway refuses it: a client reads more slowly than it is sent to.
 *
 * @param isBegun whether they follow what was sent before
 * @param onTaken called with the index of each message that API Gateway has taken
 * @returns false when the connection is gone
 * @throws when time ends before the last one
 */
export async function postAll(
  { sender, pace, effects }: AnswerDeps,
  connectionId: string,
  messages: readonly string[],
  { deadline }: AnswerTime,
  { isBegun = false, onTaken = (_: number) => {} } = {},
): Promise<boolean> {
  for (const [n, message] of messages.entries()) {
    const follows = isBegun || n > 0;
    if (follows) await pace?.turn();
    if (follows && effects.now() > deadline) throw new Error(`time ended after ${n} of ${messages.length} messages`);
    if ((await sender.post(connectionId, message, follows ? deadline : undefined)) === 'gone') return false;
    onTaken(n);
  }
  return true;
}

/**
 * Makes messages of environments at some versions. Where an item fits none of them, the connection gets nothing until it asks
 * again, or an environment changes.
 *
 * @throws {ItemTooLarge} then; another error where something was left to the sender meanwhile, which may make it smaller
 */
export async function refuseTooLarge<T>(
  { connections }: AnswerDeps,
  answers: readonly { readonly answer: Answer; readonly version: number }[],
  makeMessages: () => T,
): Promise<T> {
  try {
    return makeMessages();
  } catch (error) {
    const ends = await Promise.all(answers.map(({ answer, version }) => connections.states.refuse(answer, version)));
    if (ends.some(({ kind }) => kind === 'changed' || kind === 'asked again')) {
      throw new Error('the environment changed while an item of it fitted no message', { cause: error });
    }
    throw error;
  }
}

/** Where a data-sync comes from, as it is noted for healing. */
export interface SyncOrigin {
  readonly connectionId: string;
  /** Unix milliseconds. */
  readonly requestedAt: number;
  /** As the connect authorizer made it, for the note that healing reads. */
  readonly context: ConnectionContext;
  /** Whether it is noted already, by whoever heals it: a new note would lose how often that was tried. */
  readonly isNoted?: boolean;
}

/** Notes a connection that asks again. @param before the connection as it was before this data-sync */
export async function noteLaterSync(
  { connections }: AnswerDeps,
  { connectionId: id, requestedAt: since, context, isNoted }: SyncOrigin,
  before: Connection | undefined,
): Promise<void> {
  if (before && !isNoted) await connections.unanswered.note({ id, since, context: { ...context } }).catch(ignoreError);
}

/**
 * Notes how far answers came that failed, and ends their leases. After a post whose message may still arrive these run on:
 * the next request must not be answered before it.
 */
export async function recordFailure(
  { connections }: AnswerDeps,
  answers: readonly AnswerProgress[],
  error: unknown,
): Promise<void> {
  const endsLease = !(error instanceof UncertainPost);
  await Promise.all(
    answers.map(({ sentTo = 0, ...answer }) =>
      connections.states.giveUp(answer, { sentTo, endsLease }).catch(ignoreError),
    ),
  );
}

/** `Promise.all` that leaves nothing running behind an error. */
export async function allSettled<T extends readonly unknown[]>(
  ...promises: { [K in keyof T]: Promise<T[K]> }
): Promise<T> {
  await Promise.allSettled(promises);
  return Promise.all(promises) as unknown as Promise<T>;
}

/** Tries a step again until it succeeds or time ends, unless trying again cannot help. */
export function persist<T>(
  { effects }: AnswerDeps,
  { deadline, retryMs = Number.POSITIVE_INFINITY }: AnswerTime,
  step: () => Promise<T>,
): Promise<T> {
  return retryUntil(effects, Math.min(deadline, effects.now() + retryMs), step, isTemporary);
}

/** Whether an error may pass: an item that is too large, or an environment that was deleted, stays so. */
export function isTemporary(error: unknown): boolean {
  return !(error instanceof ItemTooLarge || error instanceof StoreError);
}

/** For steps that healing does over where they fail. */
export function ignoreError(): void {}
