/**
 * The header of every 429, 500 and 503 that we answer when a later request may succeed: whole seconds until then (RFC 9110, 10.2.3).
 * One is enough: a table is back soon, a host that stops has a successor.
 */
export const RETRY_AFTER = { 'Retry-After': '1' } as const;
