import { patchesSince } from '../../shared/delivery/patch.ts';
import type { Effects } from '../../shared/runtime/effects.ts';
import { retryUntil } from '../../shared/runtime/retry.ts';
import type { Answer, FinishResult } from '../../shared/store/connections/answer.ts';
import type { Connection, Registration } from '../../shared/store/connections/connection.ts';
import type { Connections } from '../../shared/store/connections/connections.ts';
import type { SnapshotCache } from '../../shared/store/snapshots/snapshotCache.ts';
import { StoreError } from '../../shared/store/table/errors.ts';
import { type ConnectionSender, UncertainPost } from '../gateway/connectionSender.ts';
import { messageLimit } from '../gateway/messageLimit.ts';
import type { Pace } from '../gateway/pace.ts';
import type { ConnectionContext } from './event.ts';

/** Dependencies of answering. */
export interface AnswerDeps {
  readonly connections: Pick<Connections, 'find' | 'remove' | 'states' | 'unanswered'>;
  readonly snapshots: Pick<SnapshotCache, 'read'>;
  readonly sender: ConnectionSender;
  /** Rate limit for messages after the first of a reply; unlimited by default. */
  readonly pace?: Pick<Pace, 'turn'>;
  readonly effects: Pick<Effects, 'now' | 'random' | 'pause' | 'uuid'>;
}

/** Time limits of an answer, in milliseconds. */
export interface AnswerTime {
  /** Lease: how long pushes wait for the sender. Longer than its call may take. */
  readonly leaseMs: number;
  /** Time at which it gives up, unix milliseconds. */
  readonly deadline: number;
  /** How long a table request is retried; until the deadline by default. */
  readonly retryMs?: number;
}

/** An answer that may have begun, and its progress. */
export interface AnswerProgress extends Pick<Answer, 'envId' | 'connectionId' | 'answerId'> {
  /** Version up to which the connection has the reply; absent if nothing is known to have arrived. */
  sentTo?: number;
}

/**
 * Returns the lease of a connection, after posting every change since a version.
 *
 * @param registration the connection and its user
 * @param sentTo version that the connection has
 * @param progress updated with the version that was sent, for the next sender if this one fails
 * @returns `asked again` if the sender must answer in full once more before it returns the lease
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
 * Posts messages in order, each after API Gateway accepted the one before. Messages after the first are sent at the instance's
 * rate limit. If API Gateway refuses one because the client reads slowly, it is retried until the deadline.
 *
 * @param isBegun whether the messages follow earlier ones
 * @param onTaken called with the index of each accepted message
 * @returns false if the connection is gone
 * @throws if time ends before the last message
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

/** The origin of a data-sync, as noted for healing. */
export interface SyncOrigin {
  readonly connectionId: string;
  /** Unix milliseconds. */
  readonly requestedAt: number;
  /** Context of the connect authorizer, for the note that healing reads. */
  readonly context: ConnectionContext;
  /** Whether healing sends this answer: the connection is noted then, and a new note would reset the number of attempts. */
  readonly isNoted?: boolean;
}

/** Notes a connection that asks again. @param before the connection before this data-sync */
export async function noteLaterSync(
  { connections }: AnswerDeps,
  { connectionId: id, requestedAt: since, context, isNoted }: SyncOrigin,
  before: Connection | undefined,
): Promise<void> {
  if (before && !isNoted) await connections.unanswered.note({ id, since, context: { ...context } }).catch(ignoreError);
}

/**
 * Records the progress of failed answers, and ends their leases. After a post whose message may still arrive, the lease stays: the
 * next request must not be answered before that message.
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

/** `Promise.all` that waits for all promises before it throws. */
export async function allSettled<T extends readonly unknown[]>(
  ...promises: { [K in keyof T]: Promise<T[K]> }
): Promise<T> {
  await Promise.allSettled(promises);
  return Promise.all(promises) as unknown as Promise<T>;
}

/** Retries a step until it succeeds or time ends, unless the error is permanent. */
export function persist<T>(
  { effects }: AnswerDeps,
  { deadline, retryMs = Number.POSITIVE_INFINITY }: AnswerTime,
  step: () => Promise<T>,
): Promise<T> {
  return retryUntil(effects, Math.min(deadline, effects.now() + retryMs), step, isTemporary);
}

/** Whether an error is temporary. A deleted environment is permanent. */
export function isTemporary(error: unknown): boolean {
  return !(error instanceof StoreError);
}

/** For steps that healing repeats if they fail. */
export function ignoreError(): void {}
