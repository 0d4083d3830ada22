import type { Snapshot } from '../../shared/evaluation/snapshot.ts';
import { type DataSyncRequest, InvalidRequest, parseDataSync, parseMessage } from '../../shared/protocol/message.ts';
import { formatFor } from '../../shared/protocol/reply.ts';
import { SECRET_TYPES, type SecretType } from '../../shared/protocol/secret.ts';
import { answerMessages, ItemTooLarge } from '../../shared/protocol/split.ts';
import { isInFlight, markAnswered, markBusy } from '../../shared/store/answers.ts';
import { type Registration, registerConnection } from '../../shared/store/connections.ts';
import { StoreError } from '../../shared/store/errors.ts';
import type { Reading, SnapshotCache } from '../../shared/store/snapshotCache.ts';
import type { Tables } from '../../shared/store/table.ts';
import { ambient, tablesFromEnv } from '../environment.ts';
import { log } from '../log.ts';
import { createPostbox, type Postbox } from '../postbox.ts';
import { retryUntil } from '../retry.ts';
import { snapshotsFromEnv } from '../snapshots.ts';
import { SILENCE, type WebSocketEvent, type WebSocketResult } from './event.ts';
import { measureMessage } from './measure.ts';
import { sendInParts } from './parts.ts';

/** How long after its arrival a request is still worth another attempt: API Gateway waits 29 s for an answer. */
const PATIENCE_MS = 20_000;

/**
 * Pushes wait a second for the answer to a new registration (push/fanOut.ts). An answer that takes longer than this
 * registers once more, by then with everything it needs in memory.
 */
const ANSWER_WITHIN_MS = 500;
const REGISTRATIONS = 3;

/** For how long pushes keep out of the way of a reply in several messages: longer than this function may run. */
const BUSY_MS = 60_000;
/** For good: pushes to an SDK that could not be given the rest would make it evaluate wrongly. */
const NEVER = Number.MAX_SAFE_INTEGER;

/** What a sync needs. */
export interface SyncParts {
  readonly tables: Tables;
  readonly snapshots: Pick<SnapshotCache, 'read'>;
  readonly postbox: Postbox;
  readonly now: () => number;
}

/** Who asks: what the connect authorizer found out. */
interface Asker {
  readonly connectionId: string;
  readonly envId: string;
  readonly type: SecretType;
  readonly secretId: string | undefined;
  /** Unix milliseconds. */
  readonly requestedAt: number;
}

/** An answer, and what was read for it. */
interface Answer {
  readonly registration: Registration;
  readonly reading: Reading;
  readonly messages: readonly string[];
}

/**
 * Makes the handler of `data-sync`: register the connection, then read the environment, then answer, in this order, so
 * that no change falls between answer and pushes. While nothing changes this takes two requests to DynamoDB.
 *
 * The answer is the route's response, unless it is too large for one message: then it goes out in parts.
 */
export function createSync(parts: SyncParts) {
  return (event: WebSocketEvent): Promise<WebSocketResult> =>
    measureMessage(event, parts.now, async (values) => {
      const { connectionId, authorizer } = event.requestContext;
      const about = { envId: authorizer?.envId, connectionId };
      try {
        const asker = readAsker(event);
        const request = parseDataSync(parseMessage(event.body ?? '').data, asker.type);
        const deadline = asker.requestedAt + PATIENCE_MS;
        const answer = await retryUntil(deadline, () => prepare(parts, asker, request), isTemporary);
        const [whole] = answer.messages;
        const isWhole = whole !== undefined && answer.messages.length === 1;
        if (!isWhole) await sendInParts({ ...parts, ...answer, envId: asker.envId, deadline });
        values['sync.latency'] = parts.now() - asker.requestedAt;
        if (isWhole) return { statusCode: 200, body: whole };
      } catch (error) {
        if (error instanceof InvalidRequest || error instanceof ItemTooLarge) {
          values['websocket.messages.invalid'] = 1;
          log.warn('data-sync not answered', { reason: error.message, ...about });
        } else {
          values['websocket.connections.errors'] = 1;
          log.error('data-sync failed', { error: error as Error, ...about });
        }
      }
      return SILENCE;
    });
}

function readAsker({ requestContext: { connectionId, authorizer, requestTimeEpoch } }: WebSocketEvent): Asker {
  const type = SECRET_TYPES.find((known) => known === authorizer?.type);
  if (!type || !authorizer?.envId) throw new Error('the connection came without what the authorizer found out');
  const { envId, secretId } = authorizer;
  return { connectionId, envId, type, secretId, requestedAt: requestTimeEpoch };
}

async function prepare(parts: SyncParts, asker: Asker, request: DataSyncRequest): Promise<Answer> {
  const { tables, snapshots, now } = parts;
  const { connectionId: id, envId, type, secretId, requestedAt } = asker;
  const format = formatFor(type, request.user);
  for (let attempt = 1; ; attempt++) {
    const registration: Registration = {
      id,
      type,
      secretId,
      ...(request.user ? { user: request.user } : {}),
      requestedAt,
      registeredAt: now(),
    };
    await registerConnection(tables, envId, registration);
    const reading = await snapshots.read(envId);
    const messages = await messagesFor(reading.snapshot, registration);
    if (messages.length > 1) {
      await markBusy(tables, envId, registration, now() + BUSY_MS);
    } else if (isInFlight(reading.version.writtenAt, registration)) {
      await markAnswered(tables, envId, registration, reading.version.updatedAt);
    }
    if (now() - registration.registeredAt <= ANSWER_WITHIN_MS || attempt === REGISTRATIONS) {
      return { registration, reading, messages };
    }
  }

  async function messagesFor(snapshot: Snapshot, registration: Registration): Promise<string[]> {
    try {
      return answerMessages(snapshot, type, request.timestamp, format);
    } catch (error) {
      await markBusy(tables, envId, registration, NEVER);
      throw error;
    }
  }
}

/** What an item's size or a missing environment is the reason for does not pass by itself. */
function isTemporary(error: unknown): boolean {
  return !(error instanceof ItemTooLarge || error instanceof StoreError);
}

const tables = tablesFromEnv();
export const handler = createSync({
  tables,
  snapshots: snapshotsFromEnv(tables),
  postbox: createPostbox(),
  now: ambient.now,
});
