import { replyTo } from '../../shared/delivery/reply.ts';
import type { PatchContents } from '../../shared/delivery/sdk.ts';
import { ItemTooLarge } from '../../shared/delivery/split.ts';
import type { Snapshot } from '../../shared/evaluation/snapshot.ts';
import { isSameUser } from '../../shared/flags/user.ts';
import { type DataSyncRequest, MESSAGE_LIMIT_BYTES } from '../../shared/protocol/message.ts';
import type { SecretType } from '../../shared/protocol/secret.ts';
import type { Connection, Registered, Registration } from '../../shared/store/connection.ts';
import type { Connections } from '../../shared/store/connections.ts';
import { isBusy, mustBeNoted, REPLY_GRACE_MS } from '../../shared/store/deliveryState.ts';
import { StoreError } from '../../shared/store/errors.ts';
import { retryUntil } from '../../shared/store/retry.ts';
import type { Reading, SnapshotCache } from '../../shared/store/snapshotCache.ts';

/**
 * Pushes wait for the answer to a new registration, for `REPLY_GRACE_MS`. An answer that takes longer than half of that
 * registers again; the environment is in memory by then.
 */
const ANSWER_WITHIN_MS = REPLY_GRACE_MS / 2;
const REGISTRATIONS = 3;

/** For how long pushes wait for a reply in several messages: longer than the function may run. */
const BUSY_MS = 60_000;
/** Until the next data-sync: an SDK that gets pushes and lacks the rest would evaluate wrongly. */
const NEVER = Number.MAX_SAFE_INTEGER;

/** What preparing an answer needs. */
export interface AnswerParts {
  readonly connections: Pick<Connections, 'register' | 'markAnswered' | 'markBusy'>;
  readonly snapshots: Pick<SnapshotCache, 'read'>;
  readonly now: () => number;
  readonly pause: (ms: number) => Promise<void>;
}

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
}

/** An answer, and what was read for it. */
interface Answer {
  readonly registration: Registration;
  readonly reading: Reading;
  /** One; or several, and then the connection is marked as busy. */
  readonly messages: readonly string[];
}

/**
 * Registers a connection, then reads the environment, makes the answer, and notes the version it holds where pushes need
 * that.
 *
 * @param deadline until when requests to the table are retried, unix milliseconds
 * @returns undefined when the connection has asked again: only the newest data-sync is answered
 */
export async function prepareAnswer(
  parts: AnswerParts,
  caller: Caller,
  request: DataSyncRequest,
  deadline: number,
): Promise<Answer | undefined> {
  const { connections, snapshots, now, pause } = parts;
  const { connectionId: id, envId, type, secretId, patchContents, requestedAt } = caller;
  const persist = <T>(step: () => Promise<T>) => retryUntil(deadline, step, isTemporary);

  let { registration, isNewest, before } = await register();
  const isChanged = before !== undefined && mayMistakeUsers(before, registration);
  const beginAt = before && isChanged ? answeredBy(before, now()) : 0;
  while (isNewest && now() < beginAt) {
    await pause(Math.min(beginAt - now(), ANSWER_WITHIN_MS));
    ({ registration, isNewest } = await register());
  }
  for (let attempt = 1; isNewest; attempt++) {
    const reading = await persist(() => snapshots.read(envId));
    const messages = await persist(() => messagesFor(reading.snapshot));
    await persist(() => note(reading, messages));
    if (now() - registration.registeredAt <= ANSWER_WITHIN_MS || attempt === REGISTRATIONS) {
      return { registration, reading, messages };
    }
    ({ registration, isNewest } = await register());
  }
  return undefined;

  async function register(): Promise<Registered & { readonly registration: Registration }> {
    const user = request.user && { user: request.user };
    const registration: Registration = { id, type, secretId, ...user, requestedAt, registeredAt: now() };
    return { registration, ...(await persist(() => connections.register(envId, registration))) };
  }

  async function messagesFor(snapshot: Snapshot): Promise<string[]> {
    try {
      const timestamp = isChanged ? 0 : request.timestamp;
      return replyTo(snapshot, type, { ...request, timestamp }, patchContents).messages(MESSAGE_LIMIT_BYTES);
    } catch (error) {
      await connections.markBusy(envId, registration, NEVER);
      throw error;
    }
  }

  async function note({ version }: Reading, messages: readonly string[]): Promise<void> {
    if (messages.length > 1) await connections.markBusy(envId, registration, now() + BUSY_MS);
    else if (mustBeNoted(version.writtenAt, registration))
      await connections.markAnswered(envId, registration, version.updatedAt);
  }
}

/**
 * Whether an SDK may mistake a push for an earlier user of its connection for this user's: it tells users apart by their
 * keyId alone. It is then given everything, after all that is still on its way (docs/decisions/0003-snapshots.md).
 */
function mayMistakeUsers(before: Connection, { user }: Registration): boolean {
  if (!user) return false;
  return before.hasAskedBefore === true || (before.user?.keyId === user.keyId && !isSameUser(before.user, user));
}

/** When the answer to an earlier data-sync is out, unix milliseconds; a second from now at the latest. */
function answeredBy(before: Connection, nowMs: number): number {
  return (isBusy(before, nowMs) ? nowMs : Math.min(nowMs, before.registeredAt)) + REPLY_GRACE_MS;
}

/** An item that is too large, and a missing environment, are no faults that pass. */
function isTemporary(error: unknown): boolean {
  return !(error instanceof ItemTooLarge || error instanceof StoreError);
}
