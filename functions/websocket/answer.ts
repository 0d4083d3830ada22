import { replyTo } from '../../shared/delivery/reply.ts';
import { type PatchContents, parsePatchContents } from '../../shared/delivery/sdk.ts';
import { ItemTooLarge } from '../../shared/delivery/split.ts';
import type { Snapshot } from '../../shared/evaluation/snapshot.ts';
import { isSameUser } from '../../shared/flags/user.ts';
import { type DataSyncRequest, MESSAGE_LIMIT_BYTES } from '../../shared/protocol/message.ts';
import { SECRET_TYPES, type SecretType } from '../../shared/protocol/secret.ts';
import type { Connection, Registered, Registration } from '../../shared/store/connection.ts';
import type { Connections } from '../../shared/store/connections.ts';
import { isBusy, isSettled, REPLY_GRACE_MS } from '../../shared/store/deliveryState.ts';
import { StoreError } from '../../shared/store/errors.ts';
import { retryUntil } from '../../shared/store/retry.ts';
import type { Reading, SnapshotCache } from '../../shared/store/snapshotCache.ts';
import type { ConnectionContext } from './event.ts';

/**
 * Pushes wait for the answer to a new registration, for `REPLY_GRACE_MS`. An answer that takes longer than half of that
 * registers again; the environment is in memory by then.
 */
const ANSWER_WITHIN_MS = REPLY_GRACE_MS / 2;
const REGISTRATIONS = 3;

/** Until the next data-sync: an SDK that gets pushes and lacks the rest would evaluate wrongly. */
export const NEVER = Number.MAX_SAFE_INTEGER;

/** What preparing an answer needs. */
export interface AnswerParts {
  readonly connections: Pick<Connections, 'register' | 'finishBusy' | 'markBusy' | 'unanswered'>;
  readonly snapshots: Pick<SnapshotCache, 'read'>;
  readonly now: () => number;
  readonly pause: (ms: number) => Promise<void>;
  /** For how long pushes wait for whoever answers, in milliseconds: longer than the function may run. */
  readonly busyMs: number;
  /** Whether an answer is posted to the connection even where one message holds it. */
  readonly isPosted?: boolean;
}

/** Who asks: the connection, with the context of the connect authorizer. */
interface Caller {
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
  return { connectionId, envId, type, secretId, patchContents, requestedAt };
}

/** An answer, and what was read for it. */
interface Answer {
  readonly registration: Registration;
  readonly reading: Reading;
  readonly messages: readonly string[];
  /** Whether it is out for the service: one message, whose version is noted. Else the connection is busy until it is sent. */
  readonly isNoted: boolean;
  /** Whether the connection may still be noted as one that waits: as far as is known, it has had no answer before. */
  readonly isAwaited: boolean;
}

/**
 * Registers a connection, which keeps pushes away, then reads the environment, makes the answer, and notes the version it
 * holds; or leaves that to whoever sends it in parts. What is never noted is owed to the connection (deliveryState.ts).
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
  const { connections, snapshots, now, pause, busyMs } = parts;
  const { connectionId: id, envId, type, secretId, patchContents, requestedAt } = caller;
  const persist = <T>(step: () => Promise<T>) => retryUntil(deadline, step, isTemporary);

  let { registration, isNewest, before } = await register();
  let isAwaited = before === undefined || !isSettled(before);
  const isChanged = before !== undefined && mayMistakeUsers(before, registration);
  let timestamp = isChanged ? 0 : request.timestamp;
  const beginAt = before && isChanged ? answeredBy(before, now()) : 0;
  while (isNewest && now() < beginAt) {
    await pause(Math.min(beginAt - now(), ANSWER_WITHIN_MS));
    ({ registration, isNewest } = await register());
  }
  for (let attempt = 1; isNewest; attempt++) {
    const reading = await persist(() => snapshots.read(envId));
    const messages = await persist(() => messagesFor(reading.snapshot));
    const isNoted = messages.length === 1 && !parts.isPosted;
    const isComplete = !isNoted || (await note(reading));
    const isInTime = now() - registration.registeredAt <= ANSWER_WITHIN_MS || attempt >= REGISTRATIONS;
    if (isComplete && isInTime) return { registration, reading, messages, isNoted, isAwaited };
    ({ registration, isNewest } = await register());
  }
  return undefined;

  async function register(): Promise<Registered & { readonly registration: Registration }> {
    const user = request.user && { user: request.user };
    const registration: Registration = { id, type, secretId, ...user, requestedAt, registeredAt: now() };
    const busyUntil = now() + busyMs;
    return { registration, ...(await persist(() => connections.register(envId, registration, busyUntil))) };
  }

  async function messagesFor(snapshot: Snapshot): Promise<string[]> {
    try {
      return replyTo(snapshot, type, { ...request, timestamp }, patchContents).messages(MESSAGE_LIMIT_BYTES);
    } catch (error) {
      await connections.markBusy(envId, registration, NEVER);
      throw error;
    }
  }

  /** @returns false when a push has left more to this answer meanwhile, which then is to hold everything */
  async function note({ version }: Reading): Promise<boolean> {
    const left = await persist(() => connections.finishBusy(envId, registration, version.updatedAt));
    if (left !== undefined) timestamp = 0;
    else if (isAwaited) await connections.unanswered.remove(id).catch(keepNote);
    isAwaited &&= left !== undefined;
    return left === undefined;
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

/** Where the note of a connection that waits cannot be taken away, healing looks again, and finds it answered. */
export function keepNote(): void {}

/** Whether an error may pass: an item that is too large, and a missing environment, are no faults that do. */
export function isTemporary(error: unknown): boolean {
  return !(error instanceof ItemTooLarge || error instanceof StoreError);
}
