import { RELAY_TYPE } from '../../shared/protocol/relay.ts';
import type { Connections } from '../../shared/store/connections.ts';
import { isBusy, isSettled } from '../../shared/store/deliveryState.ts';
import type { Unanswered } from '../../shared/store/unanswered.ts';
import type { ConnectionEnder } from '../push/connectionEnder.ts';
import type { ConnectionSender } from '../push/connectionSender.ts';
import { log } from '../telemetry/log.ts';
import { type AnswerParts, isTemporary, prepareAnswer, readCaller } from './answer.ts';
import { type PartedReply, sendInParts } from './parts.ts';
import { healRelay, type RelayParts } from './relay.ts';

/**
 * How long one connection may take, in milliseconds: as long as a call of the function. Nobody else takes it on meanwhile,
 * and pushes wait for it.
 */
const HEALING_MS = 60_000;

/** For how long requests to the table are retried for one connection: longer faults are waited out by the next call. */
const PATIENCE_MS = 2_000;

/** What healing needs. */
export interface HealingParts extends Omit<AnswerParts, 'busyMs' | 'isPosted'> {
  readonly connections: AnswerParts['connections'] &
    PartedReply['connections'] &
    Pick<Connections, 'remove' | 'unanswered'>;
  readonly relays: RelayParts['relays'];
  readonly sender: ConnectionSender;
  readonly ender: ConnectionEnder;
}

/** What became of it: sent everything, ended, or neither, as that was not needed or somebody else is at it. */
export type Healed = 'sent' | 'ended' | undefined;

/**
 * Heals a connection whose data-sync was not answered. One that had registered before its answer failed is sent everything,
 * for the user it registered with. Where the data-sync never came to a function, a server-side SDK is sent everything too; a
 * client-side one is ended, as its user was in that message: it comes back and asks again. Server-side ones are never
 * ended, as those for Go and .NET do not come back after 1000.
 *
 * @throws when it cannot be healed now
 */
export async function healConnection(parts: HealingParts, note: Unanswered): Promise<Healed> {
  const { connections, ender, now } = parts;
  const { id, since, context } = note;
  if (context['type'] === RELAY_TYPE) return healRelay({ ...parts, busyMs: HEALING_MS }, note, PATIENCE_MS);
  const { envId, type, ...caller } = readCaller(id, context, since);
  const found = await connections.find(envId, id);
  const asked = found && found.requestedAt >= since ? found : undefined;
  if (asked && isSettled(asked)) {
    await connections.unanswered.remove(id);
    return undefined;
  }
  if (asked && isBusy(asked, now())) return undefined;
  if (!(await connections.unanswered.claim(id, now(), now() + HEALING_MS))) return undefined;
  if (type === 'client' && !asked) {
    await ender.end(id);
    await Promise.all([connections.unanswered.remove(id), found && connections.remove(envId, id)]);
    return 'ended';
  }
  try {
    return await sendEverything();
  } catch (error) {
    if (isTemporary(error)) throw error;
    log.warn('data-sync not answered', { reason: (error as Error).message, envId, connectionId: id });
    await connections.unanswered.remove(id);
    return undefined;
  }

  async function sendEverything(): Promise<Healed> {
    const asker = { ...caller, envId, type, requestedAt: asked?.requestedAt ?? since };
    const request = { timestamp: 0, ...(asked?.user && { user: asked.user }) };
    const deadline = now() + PATIENCE_MS;
    const answer = await prepareAnswer({ ...parts, busyMs: HEALING_MS, isPosted: true }, asker, request, deadline);
    const sent = answer && (await sendInParts({ ...parts, ...answer, envId, deadline }));
    if (sent === 'gone') await connections.remove(envId, id);
    if (sent === 'gone' || sent === 'all') await connections.unanswered.remove(id);
    return sent === 'all' ? 'sent' : undefined;
  }
}
