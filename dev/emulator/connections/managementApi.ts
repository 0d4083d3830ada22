import type { IncomingMessage, ServerResponse } from 'node:http';
import { exceptionName, isAwsError } from '../endpoint/awsError.ts';
import { readBody } from '../endpoint/body.ts';
import { checkSignature, readAuthorization } from '../endpoint/signature.ts';
import type { Identities } from '../iam/identities.ts';
import { arn } from '../template/account.ts';
import type { WebSocketGateway } from '../websocket/gateway.ts';
import type { RouteServices } from '../websocket/route.ts';

/** The path prefix of management requests of a stage: `/<stage>/@connections/`. */
function managementPrefix(stage: string): string {
  return `/${stage}/@connections/`;
}

/** The connection id in a request path of the stage's management API, or undefined for any other path. */
export function managedConnectionId(path: string, stage: string): string | undefined {
  let decoded: string;
  try {
    decoded = decodeURIComponent(path);
  } catch {
    return undefined;
  }
  return decoded.startsWith(managementPrefix(stage)) ? decoded.slice(managementPrefix(stage).length) : undefined;
}

/** Dependencies of management requests. */
export interface ManagementServices extends Pick<RouteServices, 'clock' | 'throttle' | 'aws' | 'limits'> {
  /** Signers of requests, with their permissions. */
  readonly identities: Identities;
}

/**
 * Serves `POST|DELETE /<stage>/@connections/<id>` as the clients of `ApiGatewayManagementApi` expect it. Requests
 * must be signed (Signature Version 4).
 */
export async function serveManagement(
  request: IncomingMessage,
  response: ServerResponse,
  connectionId: string,
  { api, connections }: Pick<WebSocketGateway, 'api' | 'connections'>,
  { clock, throttle, aws: { managementMs }, limits, identities }: ManagementServices,
): Promise<void> {
  const body = await readBody(request, limits.messageBytes);
  try {
    const authorization = readAuthorization(request, identities);
    // A body above the limit is not kept, so its signature cannot be checked.
    if (body) checkSignature(request, body, authorization);
    if (authorization.identity.isStopped) return void response.destroy();
    const action = 'execute-api:ManageConnections';
    const resource = arn('execute-api', `${api.apiId}/${api.stage}/${request.method}/@connections/${connectionId}`);
    const denial = identities.denial(authorization.identity, action, [{ action, resource }]);
    if (denial !== undefined) return fail(response, 403, 'AccessDeniedException', denial);
  } catch (error) {
    if (!isAwsError(error)) throw error;
    return fail(response, 403, exceptionName(error), error.message);
  }
  if (!/^[\w+/-]{8,64}={0,2}$/.test(connectionId)) {
    return fail(response, 400, 'BadRequestException', `Invalid connectionId: ${connectionId}`);
  }
  if (!throttle.request()) return fail(response, 429, 'LimitExceededException', 'Too Many Requests');
  if (managementMs > 0) await new Promise<void>((resolve) => clock.after(managementMs, resolve));
  const connection = connections.get(connectionId);
  switch (request.method) {
    case 'POST': {
      if (!body) return fail(response, 413, 'PayloadTooLargeException', 'Message too long');
      const outcome = connection?.send(body.toString('utf8')) ?? 'gone';
      if (outcome === 'gone') return gone(response);
      if (outcome === 'full') return fail(response, 429, 'LimitExceededException', "The client's buffer is full");
      return answer(response, 200);
    }
    case 'DELETE':
      if (!connection) return gone(response);
      connection.close(1000, 'Connection Closed Normally');
      return answer(response, 204);
    default:
      return fail(response, 403, 'ForbiddenException', 'Forbidden');
  }
}

function gone(response: ServerResponse): void {
  fail(response, 410, 'GoneException', '');
}

function fail(response: ServerResponse, status: number, type: string, message: string): void {
  response.setHeader('x-amzn-ErrorType', type);
  answer(response, status, JSON.stringify({ message }));
}

/** Answers with JSON. */
export function answer(response: ServerResponse, status: number, body = '', headers: object = {}): void {
  const length = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) };
  response.writeHead(status, { ...length, ...headers });
  response.end(body);
}
