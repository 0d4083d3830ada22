import type { IncomingMessage } from 'node:http';
import { gatewayId, newTrace, requestTime, valuesByName } from '../requestContext.ts';
import { apiHost, localAccount } from '../template/account.ts';

/** The parts of a request target: the decoded path, as in API Gateway's events, and the raw query string. */
interface Target {
  readonly rawPath: string;
  readonly rawQueryString: string;
}

/** Splits a request target. @returns undefined when the path's percent-encoding is broken. */
export function readTarget(url: string): Target | undefined {
  const at = url.indexOf('?');
  try {
    return {
      rawPath: decodeURIComponent(at < 0 ? url : url.slice(0, at)),
      rawQueryString: at < 0 ? '' : url.slice(at + 1),
    };
  } catch {
    return undefined;
  }
}

/**
 * The Lambda event of an HTTP API request, payload format 2.0: names in lower case, repeated headers and query
 * parameters joined by a comma, cookies apart, absent fields left out.
 */
export function httpEvent(
  request: IncomingMessage,
  body: Buffer,
  target: Target,
  { apiId, routeKey, now }: { apiId: string; routeKey: string; now: number },
): unknown {
  const sourceIp = request.socket.remoteAddress?.replace(/^::ffff:/, '') ?? '';
  const { cookies, headers } = readHeaders(request);
  const query = Object.entries(valuesByName(new URLSearchParams(target.rawQueryString)));
  const userAgent = headers['user-agent'] ?? '';
  const isBase64Encoded = body.length > 0 && !isText(headers);
  return {
    version: '2.0',
    routeKey,
    rawPath: target.rawPath,
    rawQueryString: target.rawQueryString,
    ...(cookies.length > 0 && { cookies }),
    headers: {
      ...headers,
      host: apiHost(apiId),
      'x-amzn-trace-id': newTrace(),
      'x-forwarded-for': [headers['x-forwarded-for'], sourceIp].filter(Boolean).join(', '),
      'x-forwarded-port': '443',
      'x-forwarded-proto': 'https',
    },
    ...(query.length > 0 && {
      queryStringParameters: Object.fromEntries(query.map(([name, all]) => [name, all.join()])),
    }),
    requestContext: {
      accountId: localAccount,
      apiId,
      domainName: apiHost(apiId),
      domainPrefix: apiId,
      http: { method: request.method, path: target.rawPath, protocol: 'HTTP/1.1', sourceIp, userAgent },
      requestId: gatewayId(),
      routeKey,
      stage: '$default',
      time: requestTime(now),
      timeEpoch: now,
    },
    ...(body.length > 0 && { body: body.toString(isBase64Encoded ? 'base64' : 'utf8') }),
    isBase64Encoded,
  };
}

const hopByHop = new Set(['connection', 'keep-alive', 'transfer-encoding', 'upgrade']);

function readHeaders(request: IncomingMessage): { cookies: string[]; headers: Record<string, string> } {
  const headers: Record<string, string> = {};
  const cookies: string[] = [];
  for (const [name, values = []] of Object.entries(request.headersDistinct)) {
    if (name === 'cookie') cookies.push(...values.flatMap((value) => value.split(/;\s*/)));
    else if (!hopByHop.has(name)) headers[name] = values.join(',');
  }
  return { cookies, headers };
}

/** HTTP APIs pass text unchanged, and other bodies, such as forms and compressed bodies, as base64. */
function isText(headers: Readonly<Record<string, string>>): boolean {
  const type = (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  if (headers['content-encoding'] !== undefined) return false;
  return type.startsWith('text/') || /^application\/(json|xml|javascript)$/.test(type);
}
