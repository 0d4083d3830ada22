import { FUNCTION_GB } from '../prices/serviceFacts.ts';
import type { Assumptions } from './assumptions.ts';
import { documentBytes } from './hostMemory.ts';
import { type Hour, opensOf, pingsPerHour, trafficOf } from './traffic.ts';
import type { Workload } from './workload.ts';

const GB = 1_024 ** 3;

/**
 * What of a workload the account's API Gateway would turn away, on average over the busiest hour: the rush within it is not known.
 *
 * Source: https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html (10,000 requests a second in most regions, 500 new
 * connections)
 */
export function quotaProblems(workload: Workload, assumed: Pick<Assumptions, 'eventsPerRequest'>): string[] {
  const { hours } = trafficOf(workload);
  const busiest = (of: (hour: Hour) => number) => Math.max(0, ...hours.map(of)) / 3_600;
  const requests = busiest((hour) => requestsIn(hour, workload, assumed));
  const opens = busiest(opensOf);
  const problems: string[] = [];
  if (requests > workload.requestQuota)
    problems.push(
      `its busiest hour has ${whole(requests)} requests a second, and the account allows ${whole(workload.requestQuota)}; AWS raises that on request`,
    );
  if (opens > workload.connectQuota)
    problems.push(
      `its busiest hour opens ${whole(opens)} connections a second, and the account allows ${whole(workload.connectQuota)}; AWS raises that on request`,
    );
  return problems;
}

/** What does not fit the memory of the functions that keep environments in it. */
export function memoryProblems(workload: Workload, { documentFactor }: Pick<Assumptions, 'documentFactor'>): string[] {
  const needed = documentFactor * documentBytes(workload);
  const gb = FUNCTION_GB.sync;
  return needed > gb * GB ? [`the environments do not fit the ${gb} GB of a function`] : [];
}

/** Requests of an hour that share the account's quota: pongs are none; posts of answers and changes to connections are. */
function requestsIn(
  hour: Hour,
  workload: Workload,
  { eventsPerRequest }: Pick<Assumptions, 'eventsPerRequest'>,
): number {
  const { messagesPerHour, eventsPerHour, changesPerDay, environments } = workload;
  const ofEach =
    pingsPerHour(workload) + messagesPerHour + eventsPerHour / eventsPerRequest + changesPerDay / 24 / environments;
  // Each connection is a handshake, a data-sync and the post of its answer.
  return hour.held * ofEach + 3 * opensOf(hour);
}

function whole(value: number): string {
  return Math.round(value).toLocaleString('en');
}
