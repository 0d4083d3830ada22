import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage, Server, ServerResponse } from 'node:http';
import { crc32 } from 'node:zlib';
import { HostNames } from '../hostNames.ts';
import type { AccessRequest } from '../iam/evaluate.ts';
import type { Identities } from '../iam/identities.ts';
import { type Log, oneLine } from '../log.ts';
import { AwsError, isAwsError, protocolError } from './awsError.ts';
import { readBody } from './body.ts';
import { checkSignature, readAuthorization } from './signature.ts';

/** One operation: takes the request's JSON, returns the response's. @throws AwsError */
export type AwsOperation = (input: Record<string, unknown>, headers: IncomingHttpHeaders) => unknown;

/** A service that speaks AWS JSON 1.0 or 1.1. */
export interface AwsJsonService {
  /** The part of `X-Amz-Target` before the dot: `AmazonSQS`. */
  readonly target: string;
  readonly contentType: 'application/x-amz-json-1.0' | 'application/x-amz-json-1.1';
  readonly operations: Readonly<Record<string, AwsOperation>>;
  /** The IAM requests of an operation. Undefined for an unknown operation, which only an administrator may use. */
  readonly accessRequests?: (operation: string, input: Record<string, unknown>) => AccessRequest[] | undefined;
  /** The answer to a refusal by IAM. The default is 400 without a query code. */
  readonly denial?: { readonly statusCode: number; readonly queryCode?: string };
}

/** The sender has ended: on AWS its connections have ended with it. */
class SenderStopped extends Error {}

/** Only this machine asks it. */
const hostNames = new HostNames();

/** DynamoDB's largest request, in bytes; larger than any request that passes the other services' own limits. */
const maxRequestBytes = 16 * 1024 * 1024;

/**
 * Serves `services`, which differ by their target, to `identities`. Requests must be signed (Signature Version 4), allowed by IAM,
 * and use a host name of this machine. An error of the emulator is logged, and answered with 500, which SDKs retry.
 */
export function serveServices(
  server: Server,
  services: readonly AwsJsonService[],
  identities: Identities,
  log: Log,
): void {
  server.on('request', async (request, response) => {
    const target = String(request.headers['x-amz-target'] ?? '');
    const service = services.find((candidate) => candidate.target === target.split('.')[0]);
    const contentType = service?.contentType ?? 'application/x-amz-json-1.0';
    const [status, answer, headers] = await handle(request, target, service, identities).catch((error: unknown) => {
      if (error instanceof SenderStopped) return [];
      if (request.complete) log(`service endpoint ${target}: ${oneLine(error)}`);
      const { body } = new AwsError('InternalServerError', `The emulator failed: ${oneLine(error)}`);
      return [500, body] as const;
    });
    if (status === undefined) return response.destroy();
    if (!server.listening) response.shouldKeepAlive = false;
    send(response, status, answer, { 'Content-Type': contentType, ...headers });
  });
}

async function handle(
  request: IncomingMessage,
  target: string,
  service: AwsJsonService | undefined,
  identities: Identities,
): Promise<readonly [number, unknown, Record<string, string>?]> {
  try {
    const { host } = request.headers;
    if (!hostNames.include(host)) throw protocolError('AccessDeniedException', hostNames.refusal(host), 403);
    const body = await readBody(request, maxRequestBytes);
    if (!body) {
      const text = `The request is larger than the limit of ${maxRequestBytes} bytes`;
      throw protocolError('RequestEntityTooLargeException', text, 413);
    }
    const [api, name = ''] = target.split('.');
    const operation = service && Object.hasOwn(service.operations, name) ? service.operations[name] : undefined;
    if (!operation || request.method !== 'POST') {
      throw protocolError('UnknownOperationException', `The emulator does not offer ${name} of ${api}`);
    }
    const authorization = readAuthorization(request, identities);
    checkSignature(request, body, authorization);
    const { identity } = authorization;
    if (identity.isStopped) throw new SenderStopped();
    const input = parse(body);
    const denial = identities.denial(identity, target, service?.accessRequests?.(name, input));
    if (denial !== undefined)
      throw new AwsError('com.amazon.coral.service#AccessDeniedException', denial, service?.denial ?? {});
    return [200, (await operation(input, request.headers)) ?? {}];
  } catch (error) {
    if (!isAwsError(error)) throw error;
    const { statusCode, body, queryCode } = error;
    return [statusCode, body, queryCode ? { 'x-amzn-query-error': `${queryCode};Sender` } : {}];
  }
}

function parse(body: Buffer): Record<string, unknown> {
  try {
    return JSON.parse(body.toString('utf8')) as Record<string, unknown>;
  } catch {
    throw protocolError('SerializationException', 'The request is not JSON');
  }
}

function send(response: ServerResponse, status: number, answer: unknown, headers: Record<string, string>): void {
  const body = Buffer.from(JSON.stringify(answer));
  response.writeHead(status, {
    'Content-Length': body.length,
    'x-amz-crc32': crc32(body),
    'x-amzn-RequestId': randomUUID(),
    ...headers,
  });
  response.end(body);
}
