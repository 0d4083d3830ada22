import { type PatchContents, patchContentsFor } from '../../shared/delivery/sdk.ts';
import { authenticateConnection, readConnectionQuery } from '../../shared/store/authenticate.ts';
import { secretIdOf } from '../../shared/store/keys.ts';
import type { SecretCache } from '../../shared/store/secretCache.ts';
import { log } from '../telemetry/log.ts';
import { recordMetrics } from '../telemetry/metrics.ts';

/** The part of API Gateway's authorizer request that is used. */
export interface ConnectEvent {
  readonly methodArn: string;
  readonly headers?: Readonly<Record<string, string | undefined>> | null;
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
  readonly context?: {
    readonly envId: string;
    readonly type: string;
    readonly secretId: string;
    readonly patchContents: PatchContents;
  };
}

/**
 * Makes the authorizer of `$connect`. API Gateway refuses the handshake with 401 when it throws `Unauthorized` (missing or
 * malformed token), with 403 on a denial, and with 500 when the table cannot be reached.
 */
export function createConnect(secrets: Pick<SecretCache, 'find'>, now: () => number) {
  return async (event: ConnectEvent): Promise<ConnectDecision> => {
    const query = readConnectionQuery(parametersOf(event));
    const found = await authenticateConnection(secrets, query, now()).catch((error: unknown) => {
      recordMetrics({ 'websocket.connections.errors': 1 });
      throw error;
    });
    if ('grant' in found) {
      const { envId, type } = found.grant;
      recordMetrics({ 'websocket.connections.total': 1, 'websocket.connections.active': 1 });
      return {
        ...decide('Allow', envId, event.methodArn),
        context: { envId, type, secretId: secretIdOf(found.secret), patchContents: patchContentsFor(event.headers) },
      };
    }
    recordMetrics({ 'websocket.connections.rejections': 1 });
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
