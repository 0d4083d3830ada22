import { patchesSince } from '../../shared/delivery/patch.ts';
import { isSameUser } from '../../shared/flags/user.ts';
import type { Connection, Registration } from '../../shared/store/connections/connection.ts';
import { knownVersion } from '../../shared/store/connections/deliveryState.ts';
import type { BeginResult, FinishResult, HeldLease } from '../../shared/store/connections/lease.ts';
import type { Reading } from '../../shared/store/snapshots/snapshotCache.ts';
import { NotFound } from '../../shared/store/table/errors.ts';
import { UncertainPost } from '../gateway/connectionSender.ts';
import { outboundLimit } from '../gateway/outboundLimit.ts';
import { type AnswerDeps, type AnswerTime, allSettled, ignoreError, persist } from './answerDeps.ts';
import type { SyncRequest } from './event.ts';

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

/** The answer in one environment of the connection, and its progress. */
interface EnvironmentAnswer {
  readonly envId: string;
  /** Absent until it may have begun. */
  lease?: HeldLease;
  /** Absent if the environment was deleted. */
  reading?: Reading | undefined;
  /** Version up to which the connection has everything; absent if nothing is known to have arrived. */
  sentTo?: number | undefined;
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
 * An agent's connection has a row in each of its environments, and gets the pushes of each. The lease in the first environment
 * decides who sends: it is taken first and returned last, so a newer data-sync is left there.
 *
 * If this sender fails or dies, nothing is lost: the connection is noted for healing (heal.ts), which answers it again.
 * Deliveries leave the connection to healing until then. connect.ts notes the first data-sync, this class each later one.
 */
export class AnswerSession {
  readonly #deps: AnswerDeps;
  readonly #request: SyncRequest;
  readonly #time: AnswerTime;
  /** One for each environment. The lease in the first one decides who sends. */
  readonly #answers: readonly [EnvironmentAnswer, ...EnvironmentAnswer[]];
  /** The connection with its newest data-sync. */
  #newest: Registration;

  constructor(deps: AnswerDeps, request: SyncRequest, time: AnswerTime) {
    this.#deps = deps;
    this.#request = request;
    this.#time = time;
    const [firstId, ...otherIds] = request.envIds;
    this.#answers = [{ envId: firstId as string }, ...otherIds.map((envId) => ({ envId }))];
    this.#newest = request.registration;
  }

  /** @throws if the table or API Gateway fails until the deadline */
  async run(): Promise<AnswerResult> {
    const { connections } = this.#deps;
    const { envIds, registration } = this.#request;
    try {
      const begun = await this.#begin(this.#answers[0]);
      if (begun.kind !== 'begun') return begun;
      const sending = this.#send(begun.before);
      const noting = this.#noteLaterSync(begun.before);
      const result = await sending.finally(() => noting);
      // Its $disconnect may have come before its rows were written.
      if (result.kind === 'gone') {
        await Promise.all(envIds.map((envId) => connections.remove(envId, registration.id).catch(ignoreError)));
      }
      return result;
    } catch (error) {
      await this.#recordFailure(error);
      throw error;
    }
  }

  /** Takes the lease in an environment. */
  #begin(each: EnvironmentAnswer): Promise<BeginResult> {
    const { connections, effects } = this.#deps;
    const { envId } = each;
    const { leaseMs } = this.#time;
    const lease: HeldLease = { envId, connectionId: this.#newest.id, answerId: effects.uuid(), asks: 0 };
    each.lease = lease;
    return this.#persist(async () => {
      const begun = await connections.states.begin(envId, this.#newest, { answerId: lease.answerId, leaseMs });
      // Waits for the lease of a sender that died after it took this row.
      if (begun.kind !== 'begun' && each !== this.#answers[0])
        throw new Error(`another sender holds environment ${envId} of an agent's connection`);
      return begun;
    });
  }

  /** Sends replies until no push or data-sync is left to this sender. Reads the environments before each reply. */
  async #send(before: Connection | undefined): Promise<AnswerResult> {
    const [first, ...others] = this.#answers;
    let cursor: number | undefined = trustedCursor(this.#request, before);
    if (before && cursor > 0) first.sentTo = cursor;
    for (;;) {
      if (others.length > 0) await allSettled(others.map((each) => this.#begin(each)));
      await allSettled(this.#answers.map((each) => this.#open(each)));
      const readings = this.#answers.flatMap(({ reading }) => reading ?? []);
      for (const [n, { text, sentTo }] of this.#request.replyMessages(readings, this.#newest, cursor).entries()) {
        if (!(await this.#post(text, n > 0))) return { kind: 'gone' };
        if (sentTo !== undefined) first.sentTo = sentTo;
      }
      for (const other of others) {
        const { kind } = await this.#finish(other);
        if (kind === 'gone') return { kind };
        // Only after its lease has expired: data-syncs and repeats are left to the first environment.
        if (kind !== 'finished')
          throw new Error(`another sender took environment ${other.envId} of an agent's connection`);
      }
      const finished = await this.#finish(first);
      switch (finished.kind) {
        case 'finished':
          return { kind: 'answered', requestedAt: this.#newest.requestedAt };
        case 'asked again':
          this.#requireTime('the connection asked again until time ended');
          ({ lease: first.lease, registration: this.#newest } = finished);
          cursor = first.sentTo = undefined;
          break;
        case 'gone':
          return { kind: 'gone' };
        case 'replaced':
          return { kind: 'outdated' };
      }
    }
  }

  /** Notes a connection that asks again. A new note of healing's own answer would reset the number of attempts. */
  async #noteLaterSync(before: Connection | undefined): Promise<void> {
    const { context, registration, isNoted } = this.#request;
    const { id, requestedAt: since } = registration;
    if (!before || isNoted) return;
    await this.#deps.connections.unanswered.note({ id, since, context: { ...context } }).catch(ignoreError);
  }

  /** Reads an environment. An agent's may have been deleted. */
  async #open(each: EnvironmentAnswer): Promise<void> {
    try {
      each.reading = await this.#read(each.envId);
    } catch (error) {
      if (!(error instanceof NotFound) || !this.#newest.relayEnvIds) throw error;
      each.reading = undefined;
    }
  }

  #read(envId: string): Promise<Reading> {
    return this.#persist(() => this.#deps.snapshots.read(envId));
  }

  /**
   * Posts a message, after API Gateway accepted the one before. Messages after the first of a reply are sent at the instance's rate
   * limit. If API Gateway refuses one because the client reads slowly, it is retried until the deadline.
   *
   * @returns false if the connection is gone
   */
  async #post(text: string, follows: boolean): Promise<boolean> {
    const { sender, pace } = this.#deps;
    if (follows) await pace?.turn();
    if (follows) this.#requireTime('time ended before the last message of a reply');
    return (await sender.post(this.#newest.id, text, follows ? this.#time.deadline : undefined)) !== 'gone';
  }

  /**
   * Returns the lease of an environment, after posting every change since the reply.
   *
   * @returns `asked again` if the sender must answer in full once more before it returns the lease
   */
  async #finish(
    each: EnvironmentAnswer,
  ): Promise<Exclude<FinishResult, { kind: 'changed' }> | { readonly kind: 'gone' }> {
    const { states } = this.#deps.connections;
    const { envId, lease, reading } = each;
    for (let sentTo = reading?.version.updatedAt ?? 0; ; ) {
      const finished = await this.#persist(() => states.finish(lease as HeldLease, sentTo));
      if (finished.kind !== 'changed') return finished;
      this.#requireTime('time ended while changes kept coming');
      const { snapshot, version } = await this.#read(envId);
      for (const patch of patchesSince(snapshot, this.#newest, sentTo, outboundLimit(envId))) {
        if (!(await this.#post(patch, true))) return { kind: 'gone' };
      }
      sentTo = each.sentTo = version.updatedAt;
    }
  }

  /**
   * Records the progress of a failed answer, and ends its leases. After a post whose message may still arrive, the lease stays: the
   * next request must not be answered before that message.
   */
  async #recordFailure(error: unknown): Promise<void> {
    const { states } = this.#deps.connections;
    const endsLease = !(error instanceof UncertainPost);
    await Promise.all(
      this.#answers.map(
        ({ lease, sentTo = 0 }) => lease && states.giveUp(lease, { sentTo, endsLease }).catch(ignoreError),
      ),
    );
  }

  #requireTime(message: string): void {
    if (this.#deps.effects.now() > this.#time.deadline) throw new Error(message);
  }

  #persist<T>(step: () => Promise<T>): Promise<T> {
    return persist(this.#deps, this.#time, step);
  }
}

/**
 * The cursor to answer from: the SDK's own, or 0 (everything) if the SDK's state is uncertain:
 *
 * - The connection may not have everything up to its cursor. A cursor covers all flags, so an SDK that got only one newer
 *   flag would never ask for the others.
 * - A client-side SDK may take a push for an earlier user as this user's: it distinguishes users by keyId only
 *   (docs/decisions/0003-snapshots.md).
 */
function trustedCursor({ timestamp, registration: { user } }: SyncRequest, before: Connection | undefined): number {
  if (!before) return timestamp;
  if (timestamp > knownVersion(before.state)) return 0;
  if (!user) return timestamp;
  const mayMistakePush =
    before.hasAskedBefore === true || (before.user?.keyId === user.keyId && !isSameUser(before.user, user));
  return mayMistakePush ? 0 : timestamp;
}
