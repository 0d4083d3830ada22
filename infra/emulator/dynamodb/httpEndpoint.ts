import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { crc32 } from 'node:zlib';
import { awsError, isAwsError, serializationError } from './errors.ts';

/** DynamoDB's largest request body, in bytes. */
const maxBodyBytes = 16 * 1024 * 1024;

const contentType = 'application/x-amz-json-1.0';

/** Answers one request: the operation's name and the parsed JSON body. */
type RequestHandler = (operation: string, body: unknown) => Promise<object>;

/**
 * An HTTP server, not yet listening, that speaks DynamoDB's JSON protocol. A signature has to be there but is not checked. An
 * error that is no answer for the client becomes a 500, which SDKs try again.
 */
export function createHttpEndpoint(handle: RequestHandler): Server {
  const server = createServer(
    // Longer than SDKs keep an idle connection, so that it is never closed under a request.
    { keepAliveTimeout: 120_000 },
    async (request, response) => {
      try {
        const output = await answer(request, handle);
        send(response, 200, output, server.listening);
      } catch (error) {
        const known = isAwsError(error) ? error : internalError(error);
        send(response, known.statusCode, known.body, server.listening);
      }
    },
  );
  return server;
}

/** Closes a server: requests that are being answered get their answers, clients that stay silent are cut off after a second. */
export async function closeGently(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  const cutOff = setTimeout(() => server.closeAllConnections(), 1000);
  await closed;
  clearTimeout(cutOff);
}

async function answer(request: IncomingMessage, handle: RequestHandler): Promise<object> {
  const body = await readBody(request);
  const [api, operation] = String(request.headers['x-amz-target'] ?? '').split('.');
  if (request.method !== 'POST' || api !== 'DynamoDB_20120810' || operation === undefined) {
    throw awsError('UnknownOperationException', 'This endpoint speaks the JSON protocol of DynamoDB_20120810 only');
  }
  if (!request.headers.authorization?.startsWith('AWS4-')) {
    throw awsError('MissingAuthenticationTokenException', 'Request is missing Authentication Token');
  }
  return handle(operation, parseJson(body));
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += (chunk as Buffer).length;
    // Read on past the limit, dropping it all: a client that is still writing would not see the answer.
    if (bytes <= maxBodyBytes) chunks.push(chunk as Buffer);
  }
  if (bytes > maxBodyBytes) {
    const error = awsError('RequestEntityTooLargeException', `A request has at most ${maxBodyBytes} bytes`);
    throw Object.assign(error, { statusCode: 413 });
  }
  return Buffer.concat(chunks);
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    throw serializationError('The body is not JSON');
  }
}

function internalError(error: unknown): { statusCode: number; body: object } {
  const reason = error instanceof Error ? error.message : String(error);
  return { statusCode: 500, body: awsError('InternalServerError', `The embedded DynamoDB failed: ${reason}`).body };
}

function send(response: ServerResponse, status: number, answer: object, keepAlive: boolean): void {
  const body = Buffer.from(JSON.stringify(answer));
  if (!keepAlive) response.shouldKeepAlive = false;
  response.writeHead(status, {
    'content-type': contentType,
    'content-length': body.length,
    'x-amz-crc32': crc32(body),
    'x-amzn-requestid': randomUUID(),
  });
  response.end(body);
}
