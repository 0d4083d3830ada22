import type { Assumptions } from '../workload/assumptions.ts';
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
