/**
 * The header of each 429, 500 and 503 response after which a later request may succeed: the delay in seconds (RFC 9110,
 * 10.2.3). One second is enough, because a table recovers soon and a stopping host has a successor.
 */
export const RETRY_AFTER = { 'Retry-After': '1' } as const;
