import { selectSince } from '../../shared/protocol/cursor.ts';
import { InvalidRequest, parseDataSync, parseMessage } from '../../shared/protocol/message.ts';
import { formatFor } from '../../shared/protocol/reply.ts';
import type { SecretType } from '../../shared/protocol/secret.ts';
import { ItemTooLarge, splitReply } from '../../shared/protocol/split.ts';
import {
  type ConnectionRequest,
  isInFlight,
  markAnswered,
  registerConnection,
} from '../../shared/store/connections.ts';
import type { Reading, SnapshotCache } from '../../shared/store/snapshotCache.ts';
import type { Tables } from '../../shared/store/table.ts';
import { tablesFromEnv } from '../environment.ts';
import { log } from '../log.ts';
import { createPostbox, type Postbox } from '../postbox.ts';
import { retryUntil } from '../retry.ts';
import { snapshotsFromEnv } from '../snapshots.ts';
import { SILENCE, type WebSocketEvent, type WebSocketResult } from './event.ts';
import { sendInParts } from './parts.ts';

/** How long after its arrival a request is still worth another attempt: API Gateway waits 29 s for an answer. */
const PATIENCE_MS = 20_000;

/** What a sync needs. */
export interface SyncParts {
  readonly tables: Tables;
  readonly snapshots: Pick<SnapshotCache, 'read'>;
  readonly postbox: Postbox;
}

/**
 * Makes the handler of `data-sync`: register the connection, then read the environment, then answer, in this order, so
 * that no change falls between answer and pushes. While nothing changes this takes two requests to DynamoDB.
 *
 * The answer is the route's response, unless it is too large for one message: then it goes out in parts.
 */
export function createSync({ tables, snapshots, postbox }: SyncParts) {
  return async (event: WebSocketEvent): Promise<WebSocketResult> => {
    const { connectionId, requestTimeEpoch, authorizer } = event.requestContext;
    const envId = authorizer?.envId ?? '';
    const type = authorizer?.type as SecretType;
    try {
      const { timestamp, user } = parseDataSync(parseMessage(event.body ?? '').data, type);
      const request: ConnectionRequest = {
        id: connectionId,
        type,
        ...(user ? { user } : {}),
        requestedAt: requestTimeEpoch,
      };
      const reading = await retryUntil(requestTimeEpoch + PATIENCE_MS, async () => {
        await registerConnection(tables, envId, request);
        return await snapshots.read(envId);
      });
      const format = formatFor(type, user);
      const messages = splitReply(selectSince(reading.snapshot, type, timestamp), format);
      const [whole] = messages;
      if (whole !== undefined && messages.length === 1) {
        await noteIfInFlight(request, envId, reading);
        return { statusCode: 200, body: whole };
      }
      await sendInParts({ tables, snapshots, postbox, envId, request, format }, messages, reading);
      return SILENCE;
    } catch (error) {
      if (error instanceof InvalidRequest || error instanceof ItemTooLarge) {
        log.warn('data-sync not answered', { reason: error.message, envId, connectionId });
      } else {
        log.error('data-sync failed', { error: error as Error, envId, connectionId });
      }
      return SILENCE;
    }
  };

  async function noteIfInFlight(request: ConnectionRequest, envId: string, { version }: Reading): Promise<void> {
    if (isInFlight(version.writtenAt, request)) {
      await markAnswered(tables, envId, request, version.updatedAt);
    }
  }
}

const tables = tablesFromEnv();
export const handler = createSync({
  tables,
  snapshots: snapshotsFromEnv(tables),
  postbox: createPostbox(),
});
