/** The CORS configuration of an HTTP API, as in its template. */
export interface CorsConfiguration {
  readonly AllowOrigins?: readonly string[];
  readonly AllowMethods?: readonly string[];
  readonly AllowHeaders?: readonly string[];
  readonly ExposeHeaders?: readonly string[];
  readonly AllowCredentials?: boolean;
  readonly MaxAge?: number;
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
  const { AllowOrigins = [] } = cors;
  if (origin === undefined || !AllowOrigins.some((allowed) => allowsOrigin(allowed, origin))) return {};
  const wildcard = AllowOrigins.includes('*');
  const join = (values: readonly string[] = []) => values.join(',');
  return Object.fromEntries(
    Object.entries({
      'access-control-allow-origin': wildcard ? '*' : origin,
      ...(wildcard ? {} : { vary: 'Origin' }),
      'access-control-allow-credentials': cors.AllowCredentials ? 'true' : '',
      'access-control-expose-headers': join(cors.ExposeHeaders),
      ...(kind === 'preflight' && {
        'access-control-allow-methods': join(cors.AllowMethods),
        'access-control-allow-headers': join(cors.AllowHeaders),
        'access-control-max-age': String(cors.MaxAge ?? ''),
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
