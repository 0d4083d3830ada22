import type { Assumptions } from './assumptions.ts';
import { type Architecture, type Cost, costOf } from './compare.ts';
import type { Workload } from './workload.ts';

/** The ping interval to advise, in seconds: below the 350 after which load balancers forget a connection, and what many home routers bear. */
export const ADVISED_PING_SECONDS = 60;

/** Something that an operator or an application can set to pay less. */
export interface Lever {
  /** What to do. */
  readonly name: string;
  /** What is given up for it; undefined where nothing is. */
  readonly price?: string;
  /** The workload with it set; one that has it set already stays as it is. */
  readonly apply: (workload: Workload) => Workload;
}

/** What can be set, by a name for switches and links, in the order to show them. */
export const LEVERS = {
  ping: {
    name: `have SDKs ping every ${ADVISED_PING_SECONDS} s (JavaScript, Node and .NET let the application say so)`,
    price: 'a connection that died is noticed that much later',
    apply: (workload) => ({
      ...workload,
      sdks: workload.sdks.map((sdk) => ({ ...sdk, pingSeconds: Math.max(sdk.pingSeconds, ADVISED_PING_SECONDS) })),
    }),
  },
  pongs: {
    name: 'leave pings unanswered where only SDKs for servers connect (--set pongs=false)',
    price: 'browsers and apps would connect anew again and again',
    apply: (workload) => ({
      ...workload,
      pongs: workload.pongs && workload.sdks.some(({ type }) => type === 'client'),
    }),
  },
  accessLogs: {
    name: 'have API Gateway log no messages (--set streamingAccessLogs=off)',
    price: 'no line tells of a single message',
    apply: (workload) => ({ ...workload, accessLogs: false }),
  },
  lean: {
    name: 'keep ten alarms and a small dashboard of costs (--set lean=true)',
    price:
      'no alarm foretells that data-syncs become slow, and three faults have one alarm fewer; the dashboard of costs is one graph, without sums, and free in an account with no more than three dashboards',
    apply: (workload) => ({ ...workload, lean: true }),
  },
  freeTier: {
    name: 'use the free allowances that every account has',
    price: 'whatever else is in the account shares them',
    apply: (workload) => ({ ...workload, freeTier: workload.freeTier === 'none' ? 'always' : workload.freeTier }),
  },
  credits: {
    name: 'let t2.micro machines go on without credits at a price (--set host.credits=unlimited)',
    apply: (workload) => ({ ...workload, credits: 'unlimited' }),
  },
  poll: {
    name: 'have hosts poll for changes every two seconds (--set host.pollIntervalMs=2000, or fargate.pollIntervalMs)',
    price: 'changes arrive up to two seconds later',
    apply: (workload) => ({ ...workload, pollIntervalMs: Math.max(workload.pollIntervalMs, 2_000) }),
  },
  servers: {
    name: 'deploy two hosts or more only for the hours with connections',
    price: 'you deploy them before and remove them afterwards',
    apply: (workload) => ({ ...workload, servers: 'hourly' }),
  },
} as const satisfies Record<string, Lever>;

/** One of {@link LEVERS}. */
export type LeverName = keyof typeof LEVERS;

/** Every name, in the order of {@link LEVERS}. */
export const LEVER_NAMES = Object.keys(LEVERS) as LeverName[];

/** The workload with levers set, in whatever order they are named: each sets something of its own. */
export function withLevers(workload: Workload, names: readonly LeverName[]): Workload {
  return names.reduce((set, name) => LEVERS[name].apply(set), workload);
}

/** What a bill becomes with levers set. */
export interface LeveredCost {
  readonly cost: Cost;
  /** US dollars a month less than without them; NaN where one of the two cannot be done. */
  readonly saved: number;
}

/**
 * What an architecture costs a month with levers set, all together: their savings do not add up, as two may save the same line.
 * For switches on a page, render {@link LEVERS}, and ask this for those that are on.
 */
export function costWithLevers(
  architecture: Architecture,
  workload: Workload,
  assumed: Assumptions,
  names: readonly LeverName[],
): LeveredCost {
  const before = costOf(architecture, workload, assumed);
  const cost = costOf(architecture, withLevers(workload, names), assumed);
  const saved = before.isPossible && cost.isPossible ? before.bill.total - cost.bill.total : Number.NaN;
  return { cost, saved };
}

/** What a lever saves a month. */
export interface Saving {
  readonly lever: LeverName;
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
  return LEVER_NAMES.flatMap((lever) => {
    const { name, price, apply }: Lever = LEVERS[lever];
    const changed = costOf(architecture, apply(workload), assumed);
    const usd = changed.isPossible ? total - changed.bill.total : 0;
    return usd > LEAST_PART * total ? [{ lever, name, ...(price ? { price } : {}), usd, part: usd / total }] : [];
  }).toSorted((a, b) => b.usd - a.usd);
}
