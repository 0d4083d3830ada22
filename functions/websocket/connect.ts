import { createHash, timingSafeEqual } from 'node:crypto';
import { patchContentsFor } from '../../shared/delivery/sdk.ts';
import { DOOR_HEADER } from '../../shared/protocol/doorHeader.ts';
import { RELAY_TYPE } from '../../shared/protocol/relay.ts';
import { authenticateConnection, type KnownKeys, readConnectionQuery } from '../../shared/store/authenticate.ts';
import type { UnansweredNotes } from '../../shared/store/connections/unanswered.ts';
import { secretIdOf } from '../../shared/store/table/keys.ts';
import { LimitedLog } from '../telemetry/limitedLog.ts';
import { log } from '../telemetry/log.ts';
import { recordMetrics } from '../telemetry/metrics.ts';
import type { ConnectionContext } from './event.ts';

/** The used part of API Gateway's authorizer request. */
export interface ConnectEvent {
  readonly methodArn: string;
  readonly headers?: Readonly<Record<string, string | undefined>> | null;
  readonly requestContext?: {
    readonly connectionId: string;
    /** Unix milliseconds; before any message of the connection. */
    readonly connectedAt: number;
  };
  /** The last value of each query parameter. */
  readonly queryStringParameters?: Readonly<Record<string, string | undefined>> | null;
  readonly multiValueQueryStringParameters?: Readonly<Record<string, readonly string[] | undefined>> | null;
}

/** The response to API Gateway: allow, with the context for later messages, or deny. */
interface ConnectDecision {
  readonly principalId: string;
  readonly policyDocument: {
    readonly Version: '2012-10-17';
    readonly Statement: readonly [
      { readonly Action: 'execute-api:Invoke'; readonly Effect: 'Allow' | 'Deny'; readonly Resource: string },
    ];
  };
  readonly context?: ConnectionContext;
}

/**
 * Creates the authorizer of `$connect`. API Gateway refuses the handshake with 401 if it throws `Unauthorized` (missing or
 * malformed token), with 403 if it denies, and with 500 if the table cannot be reached.
 *
 * It notes that the connection waits for its first answer. Healing (heal.ts) uses the note if no function gets the data-sync. If
 * the note cannot be written, the connection is accepted anyway.
 *
 * @param doorSecrets one of them must come with a handshake in {@link DOOR_HEADER}. If undefined, none needs to. One that no header can have,
 *   such as an empty one, matches no handshake
 */
export function createConnect(
  known: KnownKeys,
  unanswered: Pick<UnansweredNotes, 'note'>,
  now: () => number,
  doorSecrets?: readonly string[],
) {
  const limitedLog = new LimitedLog(now);
  const usable = doorSecrets?.map((secret) => secret.trim()).filter((secret) => HEADER_VALUE.test(secret));
  if (usable?.length !== doorSecrets?.length)
    log.error('a secret of the front door is empty or not one line of ASCII: no handshake matches it');
  return async (event: ConnectEvent): Promise<ConnectDecision> => {
    if (usable && !isFromDoor(event.headers, usable)) {
      log.info('connection refused', { reason: 'not through the front door' });
      return decide('Deny', 'unknown', event.methodArn);
    }
    const query = readConnectionQuery(parametersOf(event));
    const found = await authenticateConnection(known, query, now()).catch((error: unknown) => {
      recordMetrics({ 'websocket.connections.errors': 1 });
      throw error;
    });
    if (!('refused' in found)) {
      const secretId = secretIdOf(found.secret);
      const context: ConnectionContext & Readonly<Record<string, string>> =
        'relay' in found
          ? { type: RELAY_TYPE, secretId, envIds: found.relay.envIds.join() }
          : {
              envId: found.grant.envId,
              type: found.grant.type,
              secretId,
              patchContents: patchContentsFor(event.headers),
            };
      recordMetrics({ 'websocket.connections.total': 1 });
      if (event.requestContext) {
        const { connectionId: id, connectedAt: since } = event.requestContext;
        await unanswered.note({ id, since, context }).catch((error: unknown) => {
          limitedLog.warn('connection not noted: where it is not answered, it will not be healed', { error });
        });
      }
      return { ...decide('Allow', context.envId ?? secretId, event.methodArn), context };
    }
    log.info('connection refused', { reason: found.reason });
    if (found.refused === 'malformed') throw new Error('Unauthorized');
    return decide('Deny', 'unknown', event.methodArn);
  };
}

/** HTTP removes spaces and line feeds around the value of a header. */
const HEADER_VALUE = /^[\x20-\x7e]+$/;

function isFromDoor(headers: ConnectEvent['headers'], doorSecrets: readonly string[]): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  const [, given = ''] = Object.entries(headers ?? {}).find(([name]) => name.toLowerCase() === DOOR_HEADER) ?? [];
  return doorSecrets.some((secret) => timingSafeEqual(digest(secret), digest(given)));
}

function decide(Effect: 'Allow' | 'Deny', principalId: string, Resource: string): ConnectDecision {
  return {
    principalId,
    policyDocument: { Version: '2012-10-17', Statement: [{ Action: 'execute-api:Invoke', Effect, Resource }] },
  };
}

function parametersOf({ queryStringParameters, multiValueQueryStringParameters }: ConnectEvent): [string, string][] {
  return Object.entries({ ...queryStringParameters, ...multiValueQueryStringParameters }).flatMap(([name, values]) =>
    [values ?? []].flat().map((value): [string, string] => [name, value]),
  );
}
