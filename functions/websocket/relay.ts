import { relayReply } from '../../shared/delivery/relayReply.ts';
import { InvalidRequest, MESSAGE_LIMIT_BYTES } from '../../shared/protocol/message.ts';
import type { RelaySyncRequest } from '../../shared/protocol/relay.ts';
import type { Answer, BeginResult, Lease } from '../../shared/store/connections/answer.ts';
import type { Registration } from '../../shared/store/connections/connection.ts';
import { isAnswered, isLeased } from '../../shared/store/connections/deliveryState.ts';
import type { UnansweredConnection } from '../../shared/store/connections/unanswered.ts';
import type { RelayReader } from '../../shared/store/environments/relay.ts';
import type { Reading } from '../../shared/store/snapshots/snapshotCache.ts';
import { NotFound } from '../../shared/store/table/errors.ts';
import { log } from '../telemetry/log.ts';
import type { AnswerResult } from './answer.ts';
import {
  type AnswerDeps,
  type AnswerProgress,
  type AnswerTime,
  allSettled,
  finishAnswer,
  ignoreError,
  isTemporary,
  noteLaterSync,
  persist,
  postAll,
  recordFailure,
  type SyncOrigin,
} from './answerSteps.ts';
import type { ConnectionContext } from './event.ts';

/** Dependencies of answering an agent. */
export interface RelayDeps extends AnswerDeps {
  readonly relays: Pick<RelayReader, 'find'>;
}

/** An agent's connection, with the context of the connect authorizer. */
interface RelayCaller extends SyncOrigin {
  readonly relayId: string;
  readonly envIds: readonly string[];
}

/** An environment whose answer has begun. */
interface OpenedEnvironment {
  readonly answer: Answer;
  readonly registration: Registration;
  /** Absent if the environment was deleted. */
  readonly reading?: Reading;
}

/** Requests everything, and then everything again as changes: an agent forwards only changes to its SDKs. */
const EVERYTHING: readonly RelaySyncRequest[] = [0, 1].map((timestamp) => ({ timestamp, cursors: new Map() }));

/** Reads the caller. @throws if the context is not that of a relay's connection */
export function readRelayCaller(connectionId: string, context: ConnectionContext, requestedAt: number): RelayCaller {
  const { secretId, envIds } = context;
  if (!secretId || !envIds) throw new Error('the context of the connect authorizer is missing');
  return { connectionId, relayId: secretId, envIds: envIds.split(','), requestedAt, context };
}

/**
 * Answers an agent's data-sync. Its connection has a row in each environment of the relay, like a server-side SDK, and gets the
 * pushes of each. The lease in the first environment decides who sends: it is taken first and returned last, so a newer
 * data-sync is left there. A deleted environment is left out of the reply.
 *
 * @param requests answered in sequence
 * @throws {InvalidRequest} if the relay was revoked
 */
export async function answerRelay(
  deps: RelayDeps,
  caller: RelayCaller,
  requests: readonly RelaySyncRequest[],
  time: AnswerTime,
): Promise<AnswerResult> {
  const { relays, connections, snapshots, effects } = deps;
  const { connectionId: id, relayId, envIds, requestedAt } = caller;
  const relay = await persist(deps, time, () => relays.find(relayId));
  if (!relay) throw new InvalidRequest('unknown or revoked relay key');

  let registration: Registration = {
    ...{ id, type: 'server', secretId: relayId, requestedAt },
    relayEnvIds: envIds.join(),
  };
  const [firstId = '', ...otherIds] = envIds;
  /** Answers that may have begun, by environment. */
  const held = new Map<string, AnswerProgress>();
  try {
    const first = await begin(firstId, leaseOf(firstId));
    if (first.kind !== 'begun') return first;
    const [result] = await allSettled(send(first.answer), noteLaterSync(deps, caller, first.before));
    // Its $disconnect may have come before its rows were written.
    if (result.kind === 'gone') {
      await Promise.all(envIds.map((envId) => connections.remove(envId, id).catch(ignoreError)));
    }
    return result;
  } catch (error) {
    await recordFailure(deps, [...held.values()], error);
    throw error;
  }

  async function send(answer: Answer): Promise<AnswerResult> {
    for (;;) {
      const others = await allSettled(...otherIds.map(beginOther));
      const opened = await allSettled(...[answer, ...others].map(open));
      if (!(await postAll(deps, id, makeMessages(opened), time))) return { kind: 'gone' };
      for (const each of opened.slice(1)) {
        const { kind } = await finish(each);
        if (kind === 'gone') return { kind };
        // Only after its lease has expired: data-syncs and repeats are left to the first environment.
        if (kind !== 'finished')
          throw new Error(`another sender took environment ${each.answer.envId} of an agent's connection`);
      }
      const finished = await finish(opened[0] as OpenedEnvironment);
      switch (finished.kind) {
        case 'finished':
          return { kind: 'answered', requestedAt: registration.requestedAt };
        case 'asked again':
          if (effects.now() > time.deadline) throw new Error('the agent asked again until time ended');
          ({ answer, registration } = finished);
          requests = EVERYTHING;
          break;
        case 'gone':
          return { kind: 'gone' };
        case 'replaced':
          return { kind: 'outdated' };
      }
    }
  }

  function leaseOf(envId: string): Lease {
    const lease = { answerId: effects.uuid(), leaseMs: time.leaseMs };
    held.set(envId, { envId, connectionId: id, answerId: lease.answerId });
    return lease;
  }

  function begin(envId: string, lease: Lease): Promise<BeginResult> {
    return persist(deps, time, () => connections.states.begin(envId, registration, lease));
  }

  /** Waits for the lease of a sender that died after it took this row. */
  function beginOther(envId: string): Promise<Answer> {
    const lease = leaseOf(envId);
    return persist(deps, time, async () => {
      const begun = await connections.states.begin(envId, registration, lease);
      if (begun.kind !== 'begun') throw new Error(`another sender holds environment ${envId} of an agent's connection`);
      return begun.answer;
    });
  }

  async function open(answer: Answer): Promise<OpenedEnvironment> {
    try {
      const reading = await persist(deps, time, () => snapshots.read(answer.envId));
      return { answer, registration, reading };
    } catch (error) {
      if (!(error instanceof NotFound)) throw error;
      return { answer, registration };
    }
  }

  function makeMessages(opened: readonly OpenedEnvironment[]): string[] {
    const relayed = opened.flatMap(({ answer: { envId }, reading }) =>
      reading
        ? [{ snapshot: reading.snapshot, secrets: relay?.secrets.filter((each) => each.envId === envId) ?? [] }]
        : [],
    );
    return requests.flatMap((request) => relayReply(relayed, request, MESSAGE_LIMIT_BYTES));
  }

  function finish({ answer, registration, reading }: OpenedEnvironment) {
    return finishAnswer(deps, answer, registration, reading?.version.updatedAt ?? 0, time);
  }
}

/**
 * Heals an agent's connection whose data-sync was not answered: sends everything with the secrets, and everything again as changes.
 * The connection is never closed: an agent does not reconnect after 1000.
 *
 * @param begin claims the connection
 * @throws if it cannot be healed now
 */
export async function healRelay(
  deps: RelayDeps,
  { id, since, context }: UnansweredConnection,
  time: AnswerTime,
  begin: () => Promise<'begun' | 'given up' | undefined>,
): Promise<'sent' | 'given up' | undefined> {
  const { connections, effects } = deps;
  const caller = readRelayCaller(id, context, since);
  const rows = await Promise.all(caller.envIds.map((envId) => connections.find(envId, id)));
  const asked = rows.flatMap((row) => (row && row.requestedAt >= since ? [row] : []));
  const isHealed = asked.length === rows.length && asked.every(({ state }) => isAnswered(state));
  if (!isHealed) {
    const now = effects.now();
    if (asked.some(({ state }) => isLeased(state, now))) return undefined;
    const begun = await begin();
    if (begun !== 'begun') return begun;
    const requestedAt = Math.max(since, ...asked.map((row) => row.requestedAt));
    const kind = await answerEverything({ ...caller, requestedAt, isNoted: true });
    if (kind !== 'answered' && kind !== 'gone' && kind !== 'refused') return undefined;
  }
  await connections.unanswered.removeAnswered(id, Math.max(since, ...asked.map((row) => row.requestedAt)));
  return isHealed ? undefined : 'sent';

  async function answerEverything(caller: RelayCaller): Promise<AnswerResult['kind'] | 'refused'> {
    try {
      return (await answerRelay(deps, caller, EVERYTHING, time)).kind;
    } catch (error) {
      if (!(error instanceof InvalidRequest) && isTemporary(error)) throw error;
      log.warn('data-sync not answered', { reason: (error as Error).message, connectionId: id });
      return 'refused';
    }
  }
}
