import { FAST_POLL_INTERVAL_MS } from '../../prices/serviceFacts.ts';
import type { Assumptions } from '../workload/assumptions.ts';
import { share } from '../workload/figures.ts';
import { type Hour, pingsPerHour, trafficOf } from '../workload/traffic.ts';
import type { Workload } from '../workload/workload.ts';

const GB = 1_024 ** 3;

/** Share of a machine's memory that a host may take; the rest is the system's. */
const HOST_SHARE = 0.75;

/**
 * Connections that fit the memory of one host, next to the process itself and the environments it serves.
 *
 * @param gb memory of its machine or task
 * @returns 0 where the environments alone do not fit
 */
export function connectionsIn(gb: number, workload: Workload, assumed: Assumptions): number {
  const { hostBytes, connectionBytes, documentFactor } = assumed;
  const room = HOST_SHARE * gb * GB - hostBytes - documentFactor * documentBytes(workload);
  return Math.max(0, Math.floor(room / connectionBytes));
}

/** Bytes of all flags of the environments in use, as they are stored. */
export function documentBytes({ environments, flags, flagBytes }: Workload): number {
  return environments * flags * flagBytes;
}

/** Share of a core that a host may be used to in its busiest hour, so that a rush still meets short answers. */
export const BUSY_CORES = 0.6;

/** What hosts on one kind of machine have to do in one hour of the day, all together. */
export interface HostHour extends Hour {
  /** Cores that the work takes on average, without what each process takes of its own. */
  readonly cores: number;
  /** Cores that each process takes for its own work while there are connections: it polls for changes. */
  readonly ownCores: number;
}

/**
 * The processor time that hosts need in each hour of the day.
 *
 * @param coreFactor of the machines: `t2CoreFactor` or `fargateCoreFactor`
 */
export function hostHours(workload: Workload, assumed: Assumptions, coreFactor: number): HostHour[] {
  const { idleCores, pollCoreMs, pingCoreMs, syncCoreMs, pushCoreMs, requestCoreMs, eventsPerRequest } = assumed;
  const { changesPerDay, eventsPerHour, environments } = workload;
  const ownCores = coreFactor * (idleCores + (pollsPerSecond(workload) * pollCoreMs) / 1_000);
  return trafficOf(workload).hours.map(({ held, started }) => {
    const pings = held * pingsPerHour(workload);
    const pushed = (held * changesPerDay) / 24 / environments;
    const requests = (held * eventsPerHour) / eventsPerRequest;
    const coreMs = pings * pingCoreMs + started * syncCoreMs + pushed * pushCoreMs + requests * requestCoreMs;
    return { held, started, cores: (coreMs * coreFactor) / 3_600_000, ownCores };
  });
}

/** How often each process polls for changes, on average: more often for a while after each change. */
export function pollsPerSecond(workload: Workload): number {
  const { environments, pollIntervalMs } = workload;
  const usual = 1_000 / pollIntervalMs;
  const fast = environmentsPolledFast(workload);
  return (environments - fast) * usual + fast * Math.max(usual, 1_000 / FAST_POLL_INTERVAL_MS);
}

/** Environments that are polled fast, as a change came shortly before, on average. */
function environmentsPolledFast({ changesPerDay, environments, fastPollSeconds }: Workload): number {
  return Math.min(environments, (changesPerDay * fastPollSeconds) / 86_400);
}

/** Part of the day from which on fast polls are worth a note. */
const NOTED_PART = 0.5;

/** What edits cost hosts, where they make them poll fast for most of the day. @param group of the settings */
export function fastPollNotes(workload: Workload, group: 'host' | 'fargate'): string[] {
  const part = environmentsPolledFast(workload) / workload.environments;
  if (part < NOTED_PART || workload.pollIntervalMs <= FAST_POLL_INTERVAL_MS) return [];
  const span = part < 0.8 ? `${share(part)} of the day` : 'nearly all day';
  return [`edited so often that hosts read every ${FAST_POLL_INTERVAL_MS} ms ${span}; lower ${group}.fastPollSeconds`];
}

/** Why a process is busy with itself. @param what it takes whole @param group of the settings */
export function busyAlone(workload: Workload, what: string, group: 'host' | 'fargate'): string {
  const [note = `raise ${group}.pollIntervalMs`] = fastPollNotes(workload, group);
  return `polls for changes take ${what}: ${note}`;
}

/** Cores that one of several processes takes: its part of the work, and its own. */
export function coresEach({ cores, ownCores }: HostHour, processes: number): number {
  return cores / processes + ownCores;
}

/**
 * Processes that an hour needs, each on a share of a core: as many as hold the connections, and as many as have the
 * processor for the work.
 *
 * @param holds connections that one has memory for
 * @param share of a core that each has
 * @returns Infinity where polls alone take a whole process, or no connection fits in its memory
 */
export function processesFor(hour: HostHour, holds: number, share = 1): number {
  const room = BUSY_CORES * share - hour.ownCores;
  if (room <= 0 || holds === 0) return Number.POSITIVE_INFINITY;
  return Math.max(1, Math.ceil(hour.held / holds), Math.ceil(hour.cores / room));
}
