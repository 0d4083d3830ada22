import { type AccountLimits, QUOTAS, requestFor } from '../../../infra/preflight/quotas.ts';

/** Milliseconds that a handshake and a data-sync keep functions busy, as `npm run bench -- scale` plans with. */
const BUSY_MS = 10 + 42;

/** A quota that some of the rates exceed. */
export interface QuotaProblem {
  /** What cannot run, why, and the command that asks AWS for more. */
  readonly text: string;
  /** New connections a second that it lets through. */
  readonly highest: number;
}

/**
 * Which of the rates the account's quotas do not let through to API Gateway and Lambda. What could not be read is not judged.
 *
 * @param rates new connections a second
 */
export function findQuotaProblems(rates: readonly number[], limits: AccountLimits): QuotaProblem[] {
  const { region, newConnections, concurrency, throttleRate } = limits;
  const problem = (
    quota: (typeof QUOTAS)[keyof typeof QUOTAS],
    has: number | undefined,
    needed: (rate: number) => number,
  ): QuotaProblem[] => {
    const refused = has === undefined ? [] : rates.filter((rate) => needed(rate) > has);
    if (has === undefined || refused.length === 0) return [];
    const highest = Math.floor(has / needed(1));
    const most = Math.ceil(needed(Math.max(...refused)));
    const text =
      `${refused.map((rate) => rate.toLocaleString('en')).join(', ')} new connections a second cannot run: ${quota.what} ` +
      `(${quota.code}) are ${has.toLocaleString('en')} in this account. Ask for more: ${requestFor(quota, most, region)}`;
    return [{ text, highest }];
  };
  return [
    ...problem(QUOTAS.newConnections, newConnections, (rate) => rate),
    ...problem(QUOTAS.concurrency, concurrency, (rate) => (rate * BUSY_MS) / 1_000),
    // A handshake, a data-sync and the post of its answer.
    ...problem(QUOTAS.throttleRate, throttleRate, (rate) => 3 * rate),
  ];
}
