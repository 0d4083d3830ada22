import type { Config } from '../../config/config.ts';

/**
 * The share of the deployment's requests a second that a route of the WebSocket API may use, for all clients together. API Gateway's other
 * limits apply to the whole account. Without shares, one client could use up the limits of all APIs of the account.
 *
 * Pings get the share that deliveries leave. No SDK needs `$default`. The sum is above one, because not all are used at once.
 */
export const ROUTE_SHARES = { ping: 0.6, 'data-sync': 0.3, $default: 0.02 } as const;

/** The share of the HTTP API. */
export const HTTP_SHARE = 0.3;

/**
 * Requests a second, and burst, of the webhooks of all plans. Those without a valid signature count too, and cost at most one read. This
 * rate uses two or three concurrent executions. With a lower one, a slow sender of invalid requests could block signed ones.
 */
export const WEBHOOK_LIMITS = { rateLimit: 250, burstLimit: 250 };

/** Requests a second of a share, and the burst above it. At least one. API Gateway accepts only whole numbers for the burst. */
export function throttleShare(
  { throttlingRate, throttlingBurst }: Pick<Config, 'throttlingRate' | 'throttlingBurst'>,
  share: number,
): { readonly rateLimit: number; readonly burstLimit: number } {
  const part = (whole: number) => Math.max(1, Math.round(whole * share));
  return { rateLimit: part(throttlingRate), burstLimit: part(throttlingBurst) };
}
