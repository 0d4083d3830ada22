import type { Assumptions } from './assumptions.ts';
import { type Architecture, costOf } from './compare.ts';
import type { Workload } from './workload.ts';

/** The ping interval to advise, in seconds: below the 350 after which load balancers forget a connection, and what many home routers bear. */
export const ADVISED_PING_SECONDS = 60;

/** Something that an operator or an application can set to pay less. */
interface Lever {
  /** What to do. */
  readonly name: string;
  /** What is given up for it; undefined where nothing is. */
  readonly price?: string;
  readonly apply: (workload: Workload) => Workload;
}

/** What can be set, one by one; each leaves a workload as it is where it is set already. */
const LEVERS: readonly Lever[] = [
  {
    name: `have SDKs ping every ${ADVISED_PING_SECONDS} s (JavaScript, Node and .NET let the application say so)`,
    price: 'a connection that died is noticed that much later',
    apply: (workload) => ({
      ...workload,
      sdks: workload.sdks.map((sdk) => ({ ...sdk, pingSeconds: Math.max(sdk.pingSeconds, ADVISED_PING_SECONDS) })),
    }),
  },
  {
    name: 'have API Gateway log no messages (-c flagwire:streamingAccessLogs=off)',
    price: 'no line tells of a single message',
    apply: (workload) => ({ ...workload, accessLogs: false }),
  },
  {
    name: 'let t2.micro machines go on without credits at a price, in place of more machines',
    apply: (workload) => ({ ...workload, credits: 'unlimited' }),
  },
  {
    name: 'have hosts look for changes every two seconds',
    price: 'changes arrive up to two seconds later',
    apply: (workload) => ({ ...workload, pollIntervalMs: Math.max(workload.pollIntervalMs, 2_000) }),
  },
  {
    name: 'run servers only while somebody is connected',
    price: 'the first to come wait until one has started',
    apply: (workload) => ({ ...workload, servers: 'hourly' }),
  },
];

/** What a lever saves a month. */
export interface Saving {
  readonly name: string;
  readonly price?: string;
  /** US dollars, and the part of the bill that they are. */
  readonly usd: number;
  readonly part: number;
}

/** Savings below this part of a bill are not worth a word. */
const LEAST_PART = 0.01;

/** What would make an architecture cheaper, the most first: each lever by itself, none of those that would make it impossible. */
export function savingsOf(architecture: Architecture, workload: Workload, assumed: Assumptions): Saving[] {
  const { total } = costOf(architecture, workload, assumed).bill;
  return LEVERS.flatMap(({ name, price, apply }) => {
    const changed = costOf(architecture, apply(workload), assumed);
    const usd = changed.isPossible ? total - changed.bill.total : 0;
    return usd > LEAST_PART * total ? [{ name, ...(price ? { price } : {}), usd, part: usd / total }] : [];
  }).toSorted((a, b) => b.usd - a.usd);
}
