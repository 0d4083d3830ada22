import type { Assumptions } from '../workload/assumptions.ts';
import type { Workload } from '../workload/workload.ts';
import { ARCHITECTURES, type Architecture, costOf } from './compare.ts';

/** The advised ping interval in seconds: load balancers drop a silent connection after 350 s, many home routers after a minute or more. */
export const ADVISED_PING_SECONDS = 60;

/** A setting of an operator or an application that lowers the bill. */
interface Lever {
  /** The option of `npm run cost` that sets it. */
  readonly option: string;
  /** What to do. */
  readonly name: string;
  /** The trade-off; undefined where there is none. */
  readonly tradeOff?: string;
  /** The workload with it set; one that has it already stays as it is. */
  readonly apply: (workload: Workload) => Workload;
}

/** All levers, in the order to show them. */
export const LEVERS = {
  ping: {
    option: `--ping ${ADVISED_PING_SECONDS}`,
    name: `set the ping interval of SDKs to ${ADVISED_PING_SECONDS} s (JavaScript, Node and .NET)`,
    tradeOff: 'dead connections are noticed later',
    apply: (workload) => ({
      ...workload,
      sdks: workload.sdks.map((sdk) => ({ ...sdk, pingSeconds: Math.max(sdk.pingSeconds, ADVISED_PING_SECONDS) })),
    }),
  },
  pongs: {
    option: '--no-pongs',
    name: 'do not answer pings if only server SDKs connect (--set pongs=false)',
    tradeOff: 'browsers and apps would reconnect repeatedly',
    apply: (workload) => ({
      ...workload,
      pongs: workload.pongs && workload.sdks.some(({ type }) => type === 'client'),
    }),
  },
  accessLogs: {
    option: '--no-access-logs',
    name: 'turn off the access log of messages (--set streamingAccessLogs=off)',
    tradeOff: 'single messages are not logged',
    apply: (workload) => ({ ...workload, accessLogs: false }),
  },
  lean: {
    option: '--lean',
    name: 'deploy only ten alarms and a small cost dashboard (--set lean=true)',
    tradeOff: 'nine alarms fewer, and no sums on the cost dashboard',
    apply: (workload) => ({ ...workload, lean: true }),
  },
  freeTier: {
    option: '--free-tier always',
    name: 'use the free allowances of every account',
    tradeOff: 'other workloads in the account share them',
    apply: (workload) => ({ ...workload, freeTier: workload.freeTier === 'none' ? 'always' : workload.freeTier }),
  },
  credits: {
    option: '--credits unlimited',
    name: 'allow t2.micro machines to use more CPU than their credits, for a charge (--set host.credits=unlimited)',
    apply: (workload) => ({ ...workload, credits: 'unlimited' }),
  },
  poll: {
    option: '--poll-interval-ms 2000',
    name: 'poll for changes every two seconds (--set host.pollIntervalMs=2000, or fargate.pollIntervalMs)',
    tradeOff: 'changes arrive up to two seconds later',
    apply: (workload) => ({ ...workload, pollIntervalMs: Math.max(workload.pollIntervalMs, 2_000) }),
  },
  fastPoll: {
    option: '--fast-poll-seconds 0',
    name: 'poll at the same interval in the minute after a change (--set host.fastPollSeconds=0, or fargate.fastPollSeconds)',
    tradeOff: 'changes soon after another change arrive up to one poll interval later',
    apply: (workload) => ({ ...workload, fastPollSeconds: 0 }),
  },
  servers: {
    option: '--servers hourly',
    name: 'deploy two or more hosts only for the hours with connections',
    tradeOff: 'you deploy them before and remove them afterwards',
    apply: (workload) => ({ ...workload, servers: 'hourly' }),
  },
} as const satisfies Record<string, Lever>;

/** One of {@link LEVERS}. */
export type LeverName = keyof typeof LEVERS;

/** Every name, in the order of {@link LEVERS}. */
export const LEVER_NAMES = Object.keys(LEVERS) as LeverName[];

/** The workload with levers set, in any order: each sets something of its own. */
export function withLevers(workload: Workload, names: readonly LeverName[]): Workload {
  return names.reduce((set, name) => LEVERS[name].apply(set), workload);
}

/** Savings below this, in US dollars a month, are not shown. */
export const MIN_SAVED = 0.005;

/** What each lever saves of each architecture, in US dollars a month. Two may save the same line, as in {@link savedTogether}. */
export function leverTable(workload: Workload, assumed: Assumptions) {
  return LEVER_NAMES.map((lever) => {
    const { option, name, tradeOff }: Lever = LEVERS[lever];
    return { lever, option, name, tradeOff, saved: savedTogether(workload, assumed, [lever]) };
  });
}

/**
 * What levers save together, by architecture. Their savings do not add up, as two may save the same line.
 *
 * @returns US dollars a month; NaN where it is ruled out with the levers or without
 */
export function savedTogether(
  workload: Workload,
  assumed: Assumptions,
  on: readonly LeverName[],
): Readonly<Record<Architecture, number>> {
  const saved = (Object.keys(ARCHITECTURES) as Architecture[]).map((each) => {
    const before = costOf(each, workload, assumed);
    const after = costOf(each, withLevers(workload, on), assumed);
    return [each, before.isPossible && after.isPossible ? before.bill.total - after.bill.total : Number.NaN];
  });
  return Object.fromEntries(saved);
}
