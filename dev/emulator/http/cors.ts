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

/** True for the header names that API Gateway drops from an integration's response when CORS is configured. */
export function isCorsHeader(name: string): boolean {
  return name.toLowerCase().startsWith('access-control-');
}
