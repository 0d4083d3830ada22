import { MONTH_HOURS } from '../../prices/tiers.ts';
import { mean } from './curve.ts';
import type { Workload } from './workload.ts';

/** API Gateway ends every connection after two hours; SDKs open another at once. */
const LONGEST_HOURS = 2;

/** An hour of the day with connections. */
export interface Hour {
  /** Connections held. */
  readonly held: number;
  /** Connections that applications open in it; no fewer than it has more than the hour before. */
  readonly started: number;
}

/** What a workload amounts to in a month, whatever serves it. */
export type Traffic = ReturnType<typeof trafficOf>;

/** Adds up what a workload amounts to. */
export function trafficOf(workload: Workload) {
  const { connections, curve, days, newPerHour, changesPerDay, eventsPerHour, environments } = workload;
  const active = connections > 0 ? curve.filter((share) => share > 0) : [];
  const usual = active.length > 0 ? mean(active) : 1;
  const hours = curve.flatMap((share, hour): Hour[] => {
    if (connections === 0 || share === 0) return [];
    // Where more are held than in the hour before, at least those were opened.
    const more = share - (curve.at(hour - 1) ?? share);
    return [{ held: connections * share, started: Math.max((newPerHour * share) / usual, connections * more) }];
  });
  const sum = (of: (hour: Hour) => number) => hours.reduce((total, hour) => total + of(hour), 0) * days;
  const connectionHours = sum(({ held }) => held);
  const changes = changesPerDay * days;
  return {
    /** The hours of a day with connections. */
    hours,
    /** Hours of the month with connections; hours of all connections together. */
    activeHours: Math.min(MONTH_HOURS, hours.length * days),
    connectionHours,
    /** Connections that applications open, and that API Gateway sees opened. */
    starts: sum(({ started }) => started),
    opens: sum(opensOf),
    pings: connectionHours * pingsPerHour(workload),
    changes,
    /** Changes times the connections that each goes to, on average. */
    pushes: (changes * connections * mean(curve)) / environments,
    events: connectionHours * eventsPerHour,
  };
}

/** Pings that an average connection sends an hour. */
export function pingsPerHour({ sdks }: Pick<Workload, 'sdks'>): number {
  return sdks.reduce((sum, { share, pingSeconds }) => sum + (share * 3_600) / pingSeconds, 0);
}

/**
 * Connections that API Gateway sees opened in an hour: those that applications open, and those that SDKs open again after
 * two hours.
 *
 * Applications end theirs at any time alike (so the time a connection would last has an exponential distribution, with the
 * mean `held / started`); then `started / (1 − e^(−2 started / held))` are opened in all.
 */
export function opensOf({ held, started }: Hour): number {
  if (held === 0) return started;
  if (started === 0) return held / LONGEST_HOURS;
  return started / -Math.expm1((-LONGEST_HOURS * started) / held);
}
