import { relayReply } from '../../shared/delivery/relayReply.ts';
import { InvalidRequest, MESSAGE_LIMIT_BYTES } from '../../shared/protocol/message.ts';
import type { RelaySyncRequest } from '../../shared/protocol/relay.ts';
import { type AnswerDeps, type AnswerTime, persist } from './answerDeps.ts';
import type { Caller, SyncRequest } from './event.ts';

/** Requests everything, and then everything again as changes: an agent forwards only changes to its SDKs. */
export const EVERYTHING: readonly RelaySyncRequest[] = [0, 1].map((timestamp) => ({ timestamp, cursors: new Map() }));

/**
 * The data-sync of an agent. A deleted environment is left out of the reply.
 *
 * @param requests answered in sequence
 * @throws {InvalidRequest} if the relay was revoked
 */
export async function relayRequest(
  deps: AnswerDeps,
  caller: Caller,
  requests: readonly RelaySyncRequest[],
  time: AnswerTime,
): Promise<SyncRequest> {
  const relay = await persist(deps, time, () => deps.relays.find(caller.registration.secretId ?? ''));
  if (!relay) throw new InvalidRequest('unknown or revoked relay key');
  return {
    ...caller,
    timestamp: 0,
    replyMessages: (readings, _newest, cursor) => {
      const relayed = readings.map(({ snapshot }) => ({
        snapshot,
        secrets: relay.secrets.filter(({ envId }) => envId === snapshot.envId),
      }));
      return (cursor === undefined ? EVERYTHING : requests)
        .flatMap((request) => relayReply(relayed, request, MESSAGE_LIMIT_BYTES))
        .map((text) => ({ text }));
    },
  };
}
