import type { Config } from '../../config/config.ts';

/**
 * The share of the deployment's requests a second that a route of the WebSocket API may take, all clients together. API Gateway's
 * other limits are the account's, so without shares one loud client could take what all APIs of the account have.
 *
 * Pings have what deliveries leave. No SDK needs `$default`. The sum is above one, as not all are used at once (docs/decisions/0021-fairness.md).
 */
export const ROUTE_SHARES = { ping: 0.6, 'data-sync': 0.3, $default: 0.02 } as const;

/** The share of the HTTP API. */
export const HTTP_SHARE = 0.3;

/**
 * Requests a second, and at once, of the webhooks of all plans. Those without a valid signature count too, and cost one read at most: this many
 * use two or three concurrent executions. Fewer would let a slow sender of them keep signed requests out.
 */
export const WEBHOOK_LIMITS = { rateLimit: 250, burstLimit: 250 };

/** Requests a second, and at once above that, of a share: at least one. API Gateway takes whole numbers for the latter. */
export function throttleShare(
  { throttlingRate, throttlingBurst }: Pick<Config, 'throttlingRate' | 'throttlingBurst'>,
  share: number,
): { readonly rateLimit: number; readonly burstLimit: number } {
  const part = (whole: number) => Math.max(1, Math.round(whole * share));
  return { rateLimit: part(throttlingRate), burstLimit: part(throttlingBurst) };
}
