import type { ReplyPart } from '../../shared/delivery/split.ts';
import { RELAY_TYPE } from '../../shared/protocol/relay.ts';
import { SECRET_TYPES } from '../../shared/protocol/secret.ts';
import type { Registration } from '../../shared/store/connections/connection.ts';
import type { Reading } from '../../shared/store/snapshots/snapshotCache.ts';

/** What the connect authorizer knows of a connection. API Gateway adds it to every later message. */
export interface ConnectionContext {
  readonly envId?: string | undefined;
  readonly type?: string | undefined;
  readonly secretId?: string | undefined;
  /** For a relay's connection, instead of `envId`: the ids of its environments, separated by commas. */
  readonly envIds?: string | undefined;
  /** `PatchContents`, derived from the SDK's User-Agent at the handshake. */
  readonly patchContents?: string | undefined;
}

/** The connection that asks: of an SDK in one environment, or of an agent in several. */
export interface Caller {
  readonly envIds: readonly string[];
  readonly registration: Registration;
  /** For the note that healing reads. */
  readonly context: ConnectionContext;
  /** Whether the connection is noted for healing already. A new note would reset the number of attempts. */
  readonly isNoted?: boolean;
}

/** A data-sync to answer: of an SDK in one environment, or of an agent in several. */
export interface SyncRequest extends Caller {
  /** The version from which it asks, unix milliseconds. 0 for an agent, which has a cursor for each environment. */
  readonly timestamp: number;
  /**
   * The messages of a reply.
   *
   * @param readings the environments that exist
   * @param newest the connection with its newest data-sync
   * @param cursor version from which to answer; undefined if the connection asked again and gets everything
   */
  readonly replyMessages: (
    readings: readonly Reading[],
    newest: Registration,
    cursor: number | undefined,
  ) => readonly ReplyPart[];
}

/**
 * Reads the caller from the context of the connect authorizer.
 *
 * @param requestedAt unix milliseconds
 * @throws if the context is incomplete
 */
export function readCaller(id: string, context: ConnectionContext, requestedAt: number): Caller {
  const { secretId, patchContents } = context;
  const relayEnvIds = context.type === RELAY_TYPE && secretId ? context.envIds : undefined;
  const envIds = relayEnvIds ?? context.envId;
  const type = relayEnvIds ? 'server' : SECRET_TYPES.find((known) => known === context.type);
  if (!type || !envIds) throw new Error('the context of the connect authorizer is missing');
  const registration = { id, type, secretId, patchContents, relayEnvIds, requestedAt };
  return { envIds: envIds.split(','), registration, context };
}

/** The used part of API Gateway's WebSocket events (routes and `$disconnect`). */
export interface WebSocketEvent {
  readonly body?: string;
  readonly requestContext: {
    readonly connectionId: string;
    readonly routeKey: string;
    /** When API Gateway received the message, unix milliseconds. */
    readonly requestTimeEpoch: number;
    /** When the connection was opened, unix milliseconds. */
    readonly connectedAt?: number;
    readonly authorizer?: ConnectionContext;
  };
}

/** The result of a route. API Gateway sends its body to the SDK if the route has a response. */
export interface WebSocketResult {
  readonly statusCode: 200;
  readonly body?: string;
}

/** Sends no message. */
export const NO_ANSWER: WebSocketResult = { statusCode: 200 };
