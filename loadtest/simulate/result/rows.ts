import type { Simulated } from '../command/simulation.ts';

/** The columns of a table of results. */
export const HEAD = [
  'scenario',
  'connections',
  'P50',
  'P99',
  'all',
  'not reached',
  'handshakes refused',
  'pings refused',
  'posts',
  'what held it up most',
  'US dollars',
];

/** A row of them. */
export function rowOf({ scenario, outcome, usd }: Simulated): string[] {
  const { connections, reached, unreached, refusedHandshakes, pings, usage, limits } = outcome;
  const [most] = limits;
  return [
    scenario,
    count(connections),
    seconds(reached.p50),
    seconds(reached.p99),
    seconds(reached.all),
    count(unreached.unanswered + unreached.waiting),
    count(refusedHandshakes),
    pings.asked > 0 ? `${((pings.refused / pings.asked) * 100).toFixed(pings.refused > 0 ? 1 : 0)} %` : '',
    count(usage.posts),
    most ? `${most[0]} (${count(most[1])})` : scenario === 'push' ? 'its own pace' : 'nothing',
    usd.toFixed(2),
  ];
}

/** Milliseconds as seconds, or minutes where they are many. */
export function seconds(ms: number): string {
  if (!Number.isFinite(ms)) return 'never';
  if (ms >= 600_000) return `${(ms / 60_000).toFixed(0)} min`;
  return ms >= 10_000 ? `${(ms / 1_000).toFixed(0)} s` : `${(ms / 1_000).toFixed(1)} s`;
}

export function count(value: number): string {
  return Math.round(value).toLocaleString('en');
}
