/** The CORS configuration of an HTTP API. */
export interface CorsConfiguration {
  readonly allowOrigins: readonly string[];
  readonly allowMethods: readonly string[];
  readonly allowHeaders: readonly string[];
  readonly exposeHeaders: readonly string[];
  readonly allowCredentials: boolean;
  readonly maxAgeSeconds?: number;
}

/**
 * The headers API Gateway adds to a response for `origin`: none without an origin, or for one that is not allowed.
 * A preflight is also told methods, headers and maximum age.
 */
export function corsHeaders(
  cors: CorsConfiguration,
  origin: string | undefined,
  kind: 'preflight' | 'response',
): Record<string, string> {
  if (origin === undefined || !cors.allowOrigins.some((allowed) => allowsOrigin(allowed, origin))) return {};
  const wildcard = cors.allowOrigins.includes('*');
  const join = (values: readonly string[]) => values.join(',');
  return Object.fromEntries(
    Object.entries({
      'access-control-allow-origin': wildcard ? '*' : origin,
      ...(wildcard ? {} : { vary: 'Origin' }),
      'access-control-allow-credentials': cors.allowCredentials ? 'true' : '',
      'access-control-expose-headers': join(cors.exposeHeaders),
      ...(kind === 'preflight' && {
        'access-control-allow-methods': join(cors.allowMethods),
        'access-control-allow-headers': join(cors.allowHeaders),
        'access-control-max-age': cors.maxAgeSeconds === undefined ? '' : String(cors.maxAgeSeconds),
      }),
    }).filter(([, value]) => value !== ''),
  );
}

/** True for the header names that API Gateway drops from an integration's response when CORS is configured. */
export function isCorsHeader(name: string): boolean {
  return name.toLowerCase().startsWith('access-control-');
}

/** `*`, an origin, or a scheme with `*` behind it (`https://*`). */
function allowsOrigin(allowed: string, origin: string): boolean {
  if (allowed === '*') return true;
  return allowed.endsWith('://*') ? origin.startsWith(allowed.slice(0, -1)) : allowed === origin;
}
