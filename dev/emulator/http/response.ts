/** An HTTP response. */
export interface HttpResponse {
  readonly status: number;
  /** In order; a name may occur several times (set-cookie). */
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer;
}

/**
 * Converts a Lambda function's answer (payload format 2.0) into a response. An answer without a `statusCode` is
 * the body itself: status 200, JSON.
 *
 * @returns undefined when the answer is malformed, which API Gateway reports as its own error.
 */
export function readAnswer(payload: unknown): HttpResponse | undefined {
  const answer = payload as LambdaAnswer | null;
  if (typeof answer !== 'object' || answer === null || !('statusCode' in answer)) {
    const text = typeof payload === 'string' ? payload : JSON.stringify(payload);
    return { status: 200, headers: [['content-type', 'application/json']], body: Buffer.from(text) };
  }
  const { statusCode, headers = {}, cookies = [], body = '', isBase64Encoded = false } = answer;
  const status = Number(statusCode);
  if (!Number.isInteger(status) || status < 200 || status > 599) return undefined;
  if (typeof (body ?? '') !== 'string' || !Array.isArray(cookies)) return undefined;
  const named = Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), String(value)] as const);
  const typed = named.some(([name]) => name === 'content-type')
    ? named
    : ([...named, ['content-type', 'text/plain;charset=UTF-8']] as const);
  return {
    status,
    headers: [...typed, ...cookies.map((cookie) => ['set-cookie', String(cookie)] as const)],
    body: Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8'),
  };
}

/** A response of API Gateway itself: a message as JSON. */
export function gatewayResponse(status: number, message: string): HttpResponse {
  return { status, headers: [['content-type', 'application/json']], body: Buffer.from(JSON.stringify({ message })) };
}

interface LambdaAnswer {
  readonly statusCode?: unknown;
  readonly headers?: Record<string, unknown> | null;
  readonly cookies?: unknown[];
  readonly body?: string | null;
  readonly isBase64Encoded?: boolean;
}

/** The CORS configuration of an HTTP API that allows every origin, as in its template. */
export interface CorsConfiguration {
  readonly AllowOrigins: readonly ['*'];
  readonly AllowMethods?: readonly string[];
  readonly AllowHeaders?: readonly string[];
  readonly ExposeHeaders?: readonly string[];
  readonly MaxAge?: number;
}

/** The headers that API Gateway adds to a response. They are none without an origin. A preflight has further ones. */
export function corsHeaders(
  { AllowMethods, AllowHeaders, ExposeHeaders, MaxAge }: CorsConfiguration,
  origin: string | undefined,
  kind: 'preflight' | 'response',
): Record<string, string> {
  if (origin === undefined) return {};
  const headers = {
    'access-control-allow-origin': '*',
    'access-control-expose-headers': ExposeHeaders?.join(),
    ...(kind === 'preflight' && {
      'access-control-allow-methods': AllowMethods?.join(),
      'access-control-allow-headers': AllowHeaders?.join(),
      'access-control-max-age': MaxAge?.toString(),
    }),
  };
  return Object.fromEntries(Object.entries(headers).flatMap(([name, value]) => (value ? [[name, value]] : [])));
}
