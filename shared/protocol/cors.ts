/**
 * CORS of the HTTP API: any origin, no credentials.
 *
 * Like FeatBit's server, it allows every origin and header: a page with tracing adds headers such as `traceparent` to all its requests. In
 * browsers `*` does not cover `Authorization`, and means nothing to old ones, so what SDKs send is listed too. The browser SDK sends
 * `X-User-Agent` and may send `User-Agent`. OpenFeature's web provider sends `X-API-Key` and `If-None-Match`, and reads `ETag` and
 * `Retry-After`. The HTTP API answers preflights on AWS, the host elsewhere.
 */
export const corsPolicy = {
  allowOrigins: ['*'],
  allowMethods: ['GET', 'POST', 'OPTIONS'],
  allowHeaders: ['authorization', 'content-type', 'user-agent', 'x-user-agent', 'x-api-key', 'if-none-match', '*'],
  exposeHeaders: ['etag', 'retry-after'],
  /** How long a browser may cache a preflight's answer, in seconds. */
  maxAgeSeconds: 3600,
};
