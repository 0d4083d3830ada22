import { type AccountLimits, QUOTAS, type Quota, requestFor } from '../../../infra/preflight/quotas.ts';

/** Milliseconds of function time for a handshake and a data-sync, as in docs/scale.md. */
const BUSY_MS = 10 + 42;

/** A quota that some of the rates exceed. */
interface QuotaProblem {
  /** The rates, the quota, and the command that requests a higher quota. */
  readonly text: string;
  /** New connections a second that the quota allows. */
  readonly highest: number;
}

/**
 * The rates that exceed the account's quotas of API Gateway and Lambda. Unread quotas are skipped.
 *
 * @param rates new connections a second
 */
export function findQuotaProblems(rates: readonly number[], limits: AccountLimits): QuotaProblem[] {
  const { region, newConnections, concurrency, throttleRate } = limits;
  const problem = (quota: Quota, has = Number.POSITIVE_INFINITY, needed: (rate: number) => number): QuotaProblem[] => {
    const refused = rates.filter((rate) => needed(rate) > has);
    if (refused.length === 0) return [];
    const highest = Math.floor(has / needed(1));
    const most = Math.ceil(needed(Math.max(...refused)));
    const text =
      `${refused.map((rate) => rate.toLocaleString('en')).join(', ')} new connections a second cannot run: ${quota.what} ` +
      `(${quota.code}) are limited to ${has.toLocaleString('en')} in this account. Request more: ${requestFor(quota, most, region)}`;
    return [{ text, highest }];
  };
  return [
    ...problem(QUOTAS.newConnections, newConnections, (rate) => rate),
    ...problem(QUOTAS.concurrency, concurrency, (rate) => (rate * BUSY_MS) / 1_000),
    // A handshake, a data-sync and the post of its answer.
    ...problem(QUOTAS.throttleRate, throttleRate, (rate) => 3 * rate),
  ];
}
