import { FUNCTION_GB } from '../../prices/serviceFacts.ts';
import type { Assumptions } from '../workload/assumptions.ts';
import { whole } from '../workload/figures.ts';
import { type Hour, opensOf, pingsPerHour, trafficOf } from '../workload/traffic.ts';
import type { Workload } from '../workload/workload.ts';
import { documentBytes } from './hostCapacity.ts';

const GB = 1_024 ** 3;

/** API Gateway's quotas, as Service Quotas numbers them; `npm run deploy` reads the same. */
const QUOTA_CODES = { requests: 'L-8A5B8E43', connects: 'L-9ED1E49A' } as const;

/**
 * vCPUs of all Fargate tasks in a new account.
 *
 * Source: https://docs.aws.amazon.com/AmazonECS/latest/developerguide/service-quotas.html; new accounts have 6
 */
const NEW_ACCOUNT_VCPUS = 6;

/** What of so many vCPUs exceeds the quota of a new account for Fargate. */
export function vcpuNeeds(vcpus: number): string[] {
  if (vcpus <= NEW_ACCOUNT_VCPUS) return [];
  return [
    `${whole(vcpus)} vCPUs of tasks exceed the Fargate quota of a new account, ${NEW_ACCOUNT_VCPUS} (L-3032A538); updates need twice as many`,
  ];
}

/** How to raise them. */
export const QUOTA_GUIDE = 'docs/scale.md#quotas-for-a-million-connections';

/**
 * What of a workload an account's API Gateway refuses at its quotas, which AWS raises on request. Averages of the busiest hour: peaks
 * within it are not known.
 *
 * Source: https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html (10,000 requests a second in most regions, 500 new
 * connections)
 */
export function quotaNeeds(workload: Workload, assumed: Pick<Assumptions, 'eventsPerRequest'>): string[] {
  const { hours } = trafficOf(workload);
  const busiest = (of: (hour: Hour) => number) => Math.max(0, ...hours.map(of)) / 3_600;
  const requests = busiest((hour) => requestsIn(hour, workload, assumed));
  const opens = busiest(opensOf);
  const needs: string[] = [];
  if (requests > workload.requestQuota)
    needs.push(
      `${whole(requests)} requests a second in the busiest hour exceed the quota of ${whole(workload.requestQuota)} (${QUOTA_CODES.requests})`,
    );
  if (opens > workload.connectQuota)
    needs.push(
      `${whole(opens)} new connections a second in the busiest hour exceed the quota of ${whole(workload.connectQuota)} (${QUOTA_CODES.connects})`,
    );
  return needs;
}

/** What does not fit the memory of the functions, which keep environments in it. */
export function memoryProblems(workload: Workload, { documentFactor }: Pick<Assumptions, 'documentFactor'>): string[] {
  const needed = documentFactor * documentBytes(workload);
  const gb = FUNCTION_GB.sync;
  return needed > gb * GB ? [`the environments do not fit in the ${gb} GB of a function`] : [];
}

/** Requests of an hour that count against the account's quota: posts of answers and changes to connections do, pongs do not. */
function requestsIn(
  hour: Hour,
  workload: Workload,
  { eventsPerRequest }: Pick<Assumptions, 'eventsPerRequest'>,
): number {
  const { eventsPerHour, changesPerDay, environments } = workload;
  const ofEach = pingsPerHour(workload) + eventsPerHour / eventsPerRequest + changesPerDay / 24 / environments;
  // Each connection is a handshake, a data-sync and the post of its answer.
  return hour.held * ofEach + 3 * opensOf(hour);
}
