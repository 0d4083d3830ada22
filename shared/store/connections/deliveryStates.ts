import { ConditionalCheckFailedException, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { userDocument } from '../../flags/user.ts';
import { attributesOf, type Item, numberIn, textIn, type Values } from '../table/attributes.ts';
import { conditionOf } from '../table/itemCondition.ts';
import { TableAccess } from '../table/tableAccess.ts';
import { soon, type Update } from '../table/write.ts';
import { type Connection, keyOfConnection, type Registration, toConnection } from './connection.ts';
import { type BehindReason, stateIn } from './deliveryState.ts';
import type { BeginResult, FinishResult, HeldLease, Lease } from './lease.ts';
import { expiryOf } from './shardProgress.ts';

/** Attempts to begin an answer. Each fails only if a sender finishes between two requests. */
const BEGIN_ATTEMPTS = 5;

/** How long giving up may delay a function that has failed, in milliseconds. */
const GIVE_UP_TIMEOUT_MS = 1_000;

/** Condition: a sender holds, or held, the lease for the answer `:answer`. */
const IS_ANSWERING = 'answerId = :answer AND attribute_exists(leaseUntil)';

/** Removes a lease and the requests left to its sender. */
const END_LEASE = 'REMOVE leaseUntil, leftVersion, asks, sentTo';

/** The attribute `behind` of a connection that waits for healing. */
const WAITING = 'waiting';

/** Moves connections from one {@link DeliveryState} to the next. Each step is one conditional write. */
export class DeliveryStates extends TableAccess {
  /**
   * Begins the answer to a data-sync. If a sender is already answering the connection, it leaves the request to that
   * sender. Messages of one connection may be handled in parallel, so an older request never replaces a newer one.
   */
  async begin(envId: string, registration: Registration, lease: Lease): Promise<BeginResult> {
    for (let attempt = 1; attempt <= BEGIN_ATTEMPTS; attempt++) {
      const begun = await this.#begin(envId, registration, lease);
      if ('kind' in begun) return begun;
      if (numberIn(begun.row, 'requestedAt') > registration.requestedAt) return { kind: 'outdated' };
      if (await this.#leaveRequest(envId, registration, textIn(begun.row, 'answerId'))) return { kind: 'left' };
    }
    throw new Error('the data-sync of a connection could not be registered: other data-syncs of it kept coming');
  }

  /** Takes the lease unless another sender holds it or a newer request exists. @returns the row if it was not taken */
  async #begin(
    envId: string,
    registration: Registration,
    { answerId, leaseMs }: Lease,
  ): Promise<BeginResult | { readonly row: Item }> {
    const { now } = this.table.effects;
    const { id, type, secretId, patchContents, relayEnvIds } = registration;
    const { assignments, values, reserved } = assign({
      type,
      secretId: secretId || undefined,
      patchContents: patchContents || undefined,
      relayEnvIds: relayEnvIds || undefined,
      ...requestAttributes(registration),
      answerId,
      leaseUntil: now() + leaseMs,
    });
    const { isDone, item } = await this.#update(envId, id, {
      update:
        `SET ${assignments}, firstRequestedAt = if_not_exists(firstRequestedAt, :requestedAt) ` +
        'REMOVE version, behind, leftVersion, asks, sentTo',
      condition:
        'attribute_not_exists(requestedAt) OR (answerId <> :answerId AND requestedAt <= :requestedAt AND ' +
        '(attribute_not_exists(leaseUntil) OR leaseUntil <= :now))',
      values: { ...values, now: now() },
      reserved,
    });
    const isMine = isDone || (item && textIn(item, 'answerId') === answerId);
    if (!isMine) return { row: item ?? {} };
    const lease = { envId, connectionId: id, answerId, asks: 0 };
    return { kind: 'begun', lease, ...(item ? { before: toConnection(item) } : {}) };
  }

  /** @returns false if the sender has finished, or its lease has expired */
  async #leaveRequest(envId: string, registration: Registration, answerId: string): Promise<boolean> {
    const { assignments, values, reserved } = assign(requestAttributes(registration));
    const { isDone } = await this.#update(envId, registration.id, {
      update: `SET ${assignments} ADD asks :one`,
      condition: `${IS_ANSWERING} AND leaseUntil > :now AND requestedAt <= :requestedAt`,
      values: { ...values, answer: answerId, now: this.table.effects.now(), one: 1 },
      reserved,
    });
    return isDone;
  }

  /**
   * Finishes an answer, unless something newer than the version was left to its sender. From then on, pushes go to the
   * connection directly.
   *
   * @param version the version up to which the connection has everything
   */
  async finish({ envId, connectionId, answerId, asks }: HeldLease, version: number): Promise<FinishResult> {
    const { isDone, item } = await this.#update(envId, connectionId, {
      update: `SET version = :version ${END_LEASE}`,
      condition:
        `${IS_ANSWERING} AND (attribute_not_exists(asks) OR asks = :asks) AND ` +
        '(attribute_not_exists(leftVersion) OR leftVersion <= :version)',
      values: { version, answer: answerId, asks },
    });
    if (isDone) return { kind: 'finished' };
    if (!item || textIn(item, 'answerId') !== answerId) return { kind: 'replaced' };
    // A repeated request finds the result of the first one.
    if (!item['leaseUntil']) return { kind: 'finished' };
    const left = numberIn(item, 'asks');
    if (left === asks) return { kind: 'changed' };
    const lease = { envId, connectionId, answerId, asks: left };
    return { kind: 'asked again', lease, registration: toConnection(item) };
  }

  /**
   * Records how far a failed answer came.
   *
   * @param sentTo the version up to which the reply was sent; 0 if unknown
   * @param endsLease whether the next data-sync may be answered immediately; false if a post may still arrive
   * @throws if that takes longer than a second
   */
  async giveUp(
    { envId, connectionId, answerId }: Pick<HeldLease, 'envId' | 'connectionId' | 'answerId'>,
    { sentTo = 0, endsLease = true }: { readonly sentTo?: number; readonly endsLease?: boolean } = {},
  ): Promise<void> {
    if (!endsLease && sentTo === 0) return;
    await this.#update(envId, connectionId, {
      update: endsLease ? `SET version = :sentTo, behind = :waiting ${END_LEASE}` : 'SET sentTo = :sentTo',
      condition: IS_ANSWERING,
      values: { answer: answerId, sentTo, waiting: endsLease ? WAITING : undefined },
      timeoutMs: GIVE_UP_TIMEOUT_MS,
    });
  }

  /**
   * Leaves a version to the sender that is answering a connection. That sender cannot finish before it has sent the
   * version. If it has died, its replacement reads the environment later, which includes the version.
   *
   * @param isRepeat whether everything must be sent again: the push may have arrived after the reply, and for an
   *   earlier user
   * @returns false if that sender has finished
   */
  async leave(envId: string, { id, answerId }: Connection, version: number, isRepeat: boolean): Promise<boolean> {
    const { isDone, item } = await this.#update(envId, id, {
      // A full reply includes every version.
      ...(isRepeat
        ? { update: 'ADD asks :value', condition: IS_ANSWERING }
        : {
            update: 'SET leftVersion = :value',
            condition: `${IS_ANSWERING} AND (attribute_not_exists(leftVersion) OR leftVersion < :value)`,
          }),
      values: { answer: answerId, value: isRepeat ? 1 : version },
    });
    if (isDone || isRepeat || !item || textIn(item, 'answerId') !== answerId) return isDone;
    return stateIn(item).kind === 'answering' && numberIn(item, 'leftVersion') >= version;
  }

  /**
   * Records that a connection was sent everything up to a version. No effect if it has asked again.
   *
   * @param behind why it lacks the changes after it, or `waiting` if healing sends them. Absent if it lacks none
   */
  async mark(
    envId: string,
    { id, answerId, requestedAt }: Connection,
    version: number,
    behind?: BehindReason | typeof WAITING,
  ): Promise<void> {
    await this.#update(envId, id, {
      update: behind ? 'SET version = :version, behind = :behind' : 'SET version = :version REMOVE behind',
      condition: 'answerId = :answer AND requestedAt = :requestedAt AND attribute_not_exists(leaseUntil)',
      values: { version, behind, answer: answerId, requestedAt },
    });
  }

  /** @returns whether the condition held, and the previous row (absent if there was none) */
  async #update(
    envId: string,
    id: string,
    update: Update,
  ): Promise<{ readonly isDone: boolean; readonly item?: Item | undefined }> {
    try {
      const command = new UpdateItemCommand({
        TableName: this.table.name,
        Key: keyOfConnection(envId, id),
        UpdateExpression: update.update,
        ...conditionOf(update),
        ReturnValues: 'ALL_OLD',
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      });
      const { Attributes } = await this.table.client.send(command, soon(this.table, update));
      return { isDone: true, item: Attributes };
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
      return { isDone: false, item: error.Item };
    }
  }
}

/** The parts of an update that sets attributes. Their names may be reserved words. */
function assign(given: Values) {
  const values = attributesOf(given);
  const reserved = Object.keys(values);
  return { assignments: reserved.map((name) => `#${name} = :${name}`).join(', '), values, reserved };
}

/** A data-sync as attributes of its connection's row. */
function requestAttributes({ user, requestedAt }: Registration): Values {
  return { user: user && JSON.stringify(userDocument(user)), requestedAt, expiresAt: expiryOf(requestedAt) };
}
