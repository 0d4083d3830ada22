import type { Assumptions } from '../model/assumptions.ts';
import { fargatePlan } from '../model/fargate.ts';
import { averageOverSdks } from '../model/flagSizes.ts';
import { connectionsIn } from '../model/hostCapacity.ts';
import { hostUse, PLAIN_HANDSHAKE_BYTES } from '../model/hostUse.ts';
import { calls, serverlessLines } from '../model/serverless.ts';
import { trafficOf } from '../model/traffic.ts';
import type { Workload } from '../model/workload.ts';
import { type Line, priceLines } from '../prices/bill.ts';
import { TASK_CONNECTIONS } from '../prices/serviceFacts.ts';
import { priceSheetOf } from '../prices/sheets.ts';
import type { Other } from './others.ts';
import { POLL_SECONDS, quantitiesOf } from './quantities.ts';

const GB = 1_024 ** 3;

/** What of our own service comes with a choice, and why it cannot be, if it cannot. */
interface OurPart {
  readonly lines: readonly Line[];
  readonly problem?: string;
}

/** The lines of ours that another choice keeps. */
export function ourPart(other: Other, workload: Workload, assumed: Assumptions): OurPart {
  if (other.base === 'host') return hostOn(other, workload, assumed);
  if (other.base === 'balancer') return behindAnotherBalancer(workload, assumed);
  if (other.base === 'polling') return polled(workload, assumed);
  return { lines: [] };
}

/** One host, of which the benchmark held so many connections; what its processor can do on another machine is not known. */
function hostOn({ memoryGb = 0, includedGb = 0 }: Other, workload: Workload, assumed: Assumptions): OurPart {
  const most = Math.min(TASK_CONNECTIONS, connectionsIn(memoryGb, workload, assumed));
  const { hours = 0 } = quantitiesOf(workload, assumed);
  const { handshakeBytes } = assumed;
  const lines = hostUse(workload, assumed, { processHours: hours, processes: 1, handshakeBytes });
  const out = lines.reduce((sum, { price, quantity }) => (price === 'dataOut' ? sum + quantity : sum), 0);
  const paid = out > includedGb ? 1 - includedGb / out : 0;
  return {
    lines: lines.map((line) => (line.price === 'dataOut' ? { ...line, quantity: line.quantity * paid } : line)),
    ...(workload.connections > most
      ? { problem: `one machine holds ${most.toLocaleString('en')} connections at most` }
      : {}),
  };
}

function behindAnotherBalancer(workload: Workload, assumed: Assumptions): OurPart {
  const sheet = priceSheetOf(workload.region);
  const { lines, problems } = fargatePlan(workload, assumed, 'on-demand', (some) => priceLines(some, sheet).total);
  const [problem] = problems;
  return {
    lines: lines.filter(({ price }) => price !== 'loadBalancerHour' && price !== 'loadBalancerUnitHour'),
    ...(problem ? { problem } : {}),
  };
}

/** The stacks as they are, without connections; a poll is a request of the HTTP API, a call of its function and a look at the version. */
function polled(workload: Workload, assumed: Assumptions): OurPart {
  const { starts, pushes } = trafficOf(workload);
  const { polls = 0 } = quantitiesOf(workload, assumed);
  const { httpMs, accessLogBytes, handshakeBytes } = assumed;
  const bytesEach = averageOverSdks(workload, assumed, (bytes) => bytes);
  const out =
    polls * PLAIN_HANDSHAKE_BYTES + starts * (handshakeBytes + workload.flags * bytesEach) + pushes * bytesEach;
  const perSecond = workload.connections / POLL_SECONDS;
  const uses = [
    { price: 'httpRequest', what: 'polls', quantity: polls },
    ...calls('http', polls, httpMs, assumed),
    { price: 'logGb', what: 'access log', quantity: (polls * accessLogBytes) / GB },
    { price: 'readUnit', what: 'versions', quantity: polls },
    { price: 'dataOut', what: 'answers', quantity: out / GB },
  ] as const;
  return {
    lines: [
      ...serverlessLines({ ...workload, connections: 0, newPerHour: 0 }, assumed),
      ...serverlessLines(workload, assumed).filter(({ purpose }) => purpose === 'insights'),
      ...uses.map((use): Line => ({ ...use, purpose: 'syncs' })),
    ],
    ...(perSecond > workload.requestQuota
      ? { problem: `${Math.round(perSecond).toLocaleString('en')} polls a second are more than the account allows` }
      : {}),
  };
}
