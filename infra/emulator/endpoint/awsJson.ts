import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { readBody } from '../http/body.ts';

/** An error as an AWS JSON service reports it. */
export class AwsError extends Error {
  /** The exception's shape name, e.g. `QueueDoesNotExist`. */
  readonly type: string;
  readonly status: number;
  /** The older code that services moved from the query protocol still send, e.g. `AWS.SimpleQueueService.…`. */
  readonly queryCode: string | undefined;

  constructor(type: string, message: string, options: { status?: number; queryCode?: string } = {}) {
    super(message);
    this.type = type;
    this.status = options.status ?? 400;
    this.queryCode = options.queryCode;
  }
}

/** One operation: takes the request's JSON, returns the response's. @throws AwsError */
type AwsOperation = (input: Record<string, unknown>) => unknown;

/** A service that speaks AWS JSON 1.0 or 1.1. */
export interface AwsJsonService {
  /** What `X-Amz-Target` begins with, up to the dot: `AmazonSQS`. */
  readonly target: string;
  readonly contentType: 'application/x-amz-json-1.0' | 'application/x-amz-json-1.1';
  readonly operations: Readonly<Record<string, AwsOperation>>;
}

/** Larger than any request that passes the services' own limits, base64 and escapes included. */
const maxRequestBytes = 16 * 1024 * 1024;

/** Serves one request of any of `services`, told apart by their target. */
export async function serveAwsJson(
  services: readonly AwsJsonService[],
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const [target, name = ''] = String(request.headers['x-amz-target'] ?? '').split('.');
  const service = services.find((candidate) => candidate.target === target);
  const reply = (status: number, body: unknown, extra: Record<string, string> = {}) => {
    const contentType = service?.contentType ?? 'application/x-amz-json-1.0';
    response.writeHead(status, { 'Content-Type': contentType, 'x-amzn-RequestId': randomUUID(), ...extra });
    response.end(JSON.stringify(body));
  };
  try {
    const operation = service && Object.hasOwn(service.operations, name) ? service.operations[name] : undefined;
    if (!operation) throw new AwsError('UnknownOperationException', `The local emulator has no ${target}.${name}`);
    const body = await readBody(request, maxRequestBytes);
    if (!body) throw new AwsError('RequestEntityTooLarge', 'The request is too large', { status: 413 });
    reply(200, (await operation(parse(body))) ?? {});
  } catch (error) {
    if (!(error instanceof AwsError)) throw error;
    const { type, message, status, queryCode } = error;
    reply(status, { __type: type, message }, queryCode ? { 'x-amzn-query-error': `${queryCode};Sender` } : {});
  }
}

function parse(body: Buffer): Record<string, unknown> {
  try {
    return JSON.parse(body.toString('utf8')) as Record<string, unknown>;
  } catch {
    throw new AwsError('SerializationException', 'The request is not JSON');
  }
}
