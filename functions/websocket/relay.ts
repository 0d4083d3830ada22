import { relayReply } from '../../shared/delivery/relayReply.ts';
import { InvalidRequest, MESSAGE_LIMIT_BYTES } from '../../shared/protocol/message.ts';
import type { RelaySyncRequest } from '../../shared/protocol/relay.ts';
import type { Registration } from '../../shared/store/connection.ts';
import type { Connections } from '../../shared/store/connections.ts';
import { isBusy, isSettled } from '../../shared/store/deliveryState.ts';
import { NotFound } from '../../shared/store/errors.ts';
import type { RelayGrant, RelayReader } from '../../shared/store/relay.ts';
import { retryUntil } from '../../shared/store/retry.ts';
import type { Reading, SnapshotCache } from '../../shared/store/snapshotCache.ts';
import type { Unanswered } from '../../shared/store/unanswered.ts';
import type { ConnectionSender } from '../push/connectionSender.ts';
import { isTemporary, NEVER } from './answer.ts';
import type { ConnectionContext } from './event.ts';
import { type PartedReply, type PartsSent, sendInParts } from './parts.ts';

/** What answering an agent needs. */
export interface RelayParts {
  readonly relays: Pick<RelayReader, 'find'>;
  readonly connections: PartedReply['connections'] & Pick<Connections, 'register' | 'markBusy' | 'unanswered'>;
  readonly snapshots: Pick<SnapshotCache, 'read'>;
  readonly sender: ConnectionSender;
  readonly now: () => number;
  /** For how long pushes wait for whoever answers, in milliseconds. */
  readonly busyMs: number;
}

/** An agent's connection, with the context of the connect authorizer. */
interface RelayCaller {
  readonly connectionId: string;
  readonly relayId: string;
  readonly envIds: readonly string[];
  /** Unix milliseconds. */
  readonly requestedAt: number;
}

/** An environment as it is to be answered. */
interface Opened {
  readonly envId: string;
  readonly registration: Registration;
  readonly reading: Reading;
}

/** Who asks. @throws when the context is not that of a relay's connection */
export function readRelayCaller(connectionId: string, context: ConnectionContext, requestedAt: number): RelayCaller {
  const { secretId, envIds } = context;
  if (!secretId || !envIds) throw new Error('the context of the connect authorizer is missing');
  return { connectionId, relayId: secretId, envIds: envIds.split(','), requestedAt };
}

/**
 * Answers an agent's data-sync. Its connection is registered in each environment of the relay, as that of an SDK for servers,
 * and so gets the pushes of each; then the environments are read, and the reply is posted; then, environment by environment, what
 * was written meanwhile. An environment that was deleted is left out.
 *
 * @param requests answered one after another
 * @throws {InvalidRequest} when the relay was revoked
 */
export async function answerRelay(
  parts: RelayParts,
  caller: RelayCaller,
  requests: readonly RelaySyncRequest[],
  deadline: number,
): Promise<PartsSent> {
  const { relays, sender } = parts;
  const relay = await retryUntil(deadline, () => relays.find(caller.relayId), isTemporary);
  if (!relay) throw new InvalidRequest('unknown or revoked relay key');
  const opened = await Promise.all(caller.envIds.map((envId) => open(parts, caller, envId, deadline)));
  if (opened.includes('replaced')) return 'replaced';
  const environments = opened.filter((each) => typeof each === 'object');
  const messages = await messagesFor(parts, relay, environments, requests);
  if (environments.length === 0) for (const message of messages) await sender.post(caller.connectionId, message);
  for (const [index, each] of environments.entries()) {
    const sent = await sendInParts({ ...parts, ...each, messages: index === 0 ? messages : [], deadline });
    if (sent !== 'all') return sent;
  }
  return 'all';
}

/** Registers the connection in an environment, then reads that. @returns 'deleted' where there is none any more */
async function open(
  { connections, snapshots, now, busyMs }: RelayParts,
  { connectionId: id, relayId, requestedAt }: RelayCaller,
  envId: string,
  deadline: number,
): Promise<Opened | 'replaced' | 'deleted'> {
  const registration: Registration = { id, type: 'server', secretId: relayId, requestedAt, registeredAt: now() };
  const register = () => connections.register(envId, registration, now() + busyMs);
  if (!(await retryUntil(deadline, register, isTemporary)).isNewest) return 'replaced';
  try {
    return { envId, registration, reading: await retryUntil(deadline, () => snapshots.read(envId), isTemporary) };
  } catch (error) {
    if (!(error instanceof NotFound)) throw error;
    return 'deleted';
  }
}

/** Where an item is too large for a message, the connection gets nothing until it asks again, not even pushes. */
async function messagesFor(
  { connections }: RelayParts,
  { secrets }: RelayGrant,
  environments: readonly Opened[],
  requests: readonly RelaySyncRequest[],
): Promise<string[]> {
  const relayed = environments.map(({ envId, reading: { snapshot } }) => ({
    snapshot,
    secrets: secrets.filter((secret) => secret.envId === envId),
  }));
  try {
    return requests.flatMap((request) => relayReply(relayed, request, MESSAGE_LIMIT_BYTES));
  } catch (error) {
    await Promise.all(environments.map(({ envId, registration }) => connections.markBusy(envId, registration, NEVER)));
    throw error;
  }
}

/**
 * Heals an agent's connection whose data-sync was not answered: sends it everything with the secrets, and everything again as
 * changes, as an agent tells its own SDKs of these alone. It is never ended: after 1000 it does not come back.
 *
 * @throws when it cannot be healed now
 */
export async function healRelay(
  parts: RelayParts,
  { id, since, context }: Unanswered,
  patienceMs: number,
): Promise<'sent' | undefined> {
  const { connections, now, busyMs } = parts;
  const caller = readRelayCaller(id, context, since);
  const rows = await Promise.all(caller.envIds.map((envId) => connections.find(envId, id)));
  const asked = rows.flatMap((row) => (row && row.requestedAt >= since ? [row] : []));
  const isAnswered = asked.length > 0 && asked.every(isSettled);
  if (!isAnswered) {
    if (asked.some((row) => isBusy(row, now()))) return undefined;
    if (!(await connections.unanswered.claim(id, now(), now() + busyMs))) return undefined;
    const requestedAt = Math.max(since, ...asked.map((row) => row.requestedAt));
    const everything = [0, 1].map((timestamp) => ({ timestamp, cursors: new Map() }));
    const sent = await answerRelay(parts, { ...caller, requestedAt }, everything, now() + patienceMs);
    if (sent === 'replaced') return undefined;
  }
  await connections.unanswered.remove(id);
  return isAnswered ? undefined : 'sent';
}
