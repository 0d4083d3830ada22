import { patchContentsFor } from '../../shared/delivery/sdk.ts';
import { RELAY_TYPE } from '../../shared/protocol/relay.ts';
import { authenticateConnection, type KnownKeys, readConnectionQuery } from '../../shared/store/authenticate.ts';
import { secretIdOf } from '../../shared/store/keys.ts';
import type { UnansweredNotes } from '../../shared/store/unanswered.ts';
import { LimitedLog } from '../telemetry/limitedLog.ts';
import { log } from '../telemetry/log.ts';
import { recordMetrics } from '../telemetry/metrics.ts';
import type { ConnectionContext } from './event.ts';

/** The part of API Gateway's authorizer request that is used. */
export interface ConnectEvent {
  readonly methodArn: string;
  readonly headers?: Readonly<Record<string, string | undefined>> | null;
  readonly requestContext?: {
    readonly connectionId: string;
    /** Unix milliseconds, earlier than any message of the connection. */
    readonly connectedAt: number;
  };
  /** The last value of each parameter. */
  readonly queryStringParameters?: Readonly<Record<string, string | undefined>> | null;
  readonly multiValueQueryStringParameters?: Readonly<Record<string, readonly string[] | undefined>> | null;
}

/** The answer to API Gateway: allow, with the context that later messages get, or deny. */
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
 * Makes the authorizer of `$connect`. API Gateway refuses the handshake with 401 when it throws `Unauthorized` (missing or
 * malformed token), with 403 on a denial, and with 500 when the table cannot be reached.
 *
 * It notes that the connection waits for its first answer, so that it is healed (heal.ts) where its data-sync comes to
 * nobody. Without that note it is let in all the same.
 */
export function createConnect(known: KnownKeys, unanswered: Pick<UnansweredNotes, 'note'>, now: () => number) {
  const limitedLog = new LimitedLog(now);
  return async (event: ConnectEvent): Promise<ConnectDecision> => {
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
