/**
 * What browsers may send to the HTTP API: any origin, no credentials.
 *
 * FeatBit's server allows every origin, header and method. Browsers never let `*` stand for `Authorization`,
 * and the browser SDK also sends `X-User-Agent` and tries `User-Agent`, so these are named one by one. OpenFeature's web
 * provider sends `X-API-Key` and `If-None-Match`, and reads `ETag`, `Retry-After` too where it is told to wait.
 * Used by whichever edge answers preflights (the HTTP API on AWS, the host elsewhere).
 */
export const corsPolicy = {
  allowOrigins: ['*'],
  allowMethods: ['GET', 'POST', 'OPTIONS'],
  allowHeaders: ['authorization', 'content-type', 'user-agent', 'x-user-agent', 'x-api-key', 'if-none-match'],
  exposeHeaders: ['etag', 'retry-after'],
  /** How long a browser may remember a preflight's answer, in seconds. */
  maxAgeSeconds: 3600,
};
