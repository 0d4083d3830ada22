import type { Assumptions } from '../workload/assumptions.ts';
import type { Figures } from '../workload/figures.ts';
import { trafficOf } from '../workload/traffic.ts';
import type { Workload } from '../workload/workload.ts';
import { ARCHITECTURES, costOf } from './compare.ts';

/**
 * What AWS AppConfig charges in us-east-1, in US dollars without tax, as of 2026-11. GetLatestConfiguration is its priced call
 * (https://aws.amazon.com/systems-manager/pricing/; {@link APP_CONFIG.source} repeats both prices).
 */
export const APP_CONFIG = {
  /** Each poll of a target, whether its configuration changed or not. */
  requestUsd: 0.000_000_2,
  /** Each configuration that a target receives: at its start, and after each change. */
  receivedUsd: 0.000_8,
  source: 'https://repost.aws/questions/QUevHYubJ-TESBPlUxRyujmg/i-want-to-understand-aws-appconfig-pricing-model',
  /**
   * Seconds between two polls of AppConfig's agent, unless you set others
   * (https://docs.aws.amazon.com/appconfig/latest/userguide/appconfig-integration-containers-agent-configuring.html).
   */
  pollSeconds: 45,
} as const;

/** What a service costs for the servers of a workload, in US dollars; Infinity or NaN where it cannot serve them. */
interface ChangeCost {
  /** A month, as the workload is. */
  readonly total: number;
  /** A month without any change. */
  readonly unchanged: number;
  /** One change, to all servers. */
  readonly change: number;
}

/** AWS AppConfig, and Flagwire's serverless stacks for the same servers. */
export interface AppConfigComparison {
  /** Servers at peak. */
  readonly servers: number;
  /** Changes a month. */
  readonly changes: number;
  readonly appConfig: ChangeCost;
  readonly serverless: ChangeCost;
  /** Changes a month from which serverless costs less; Infinity where it never does. */
  readonly breakEven: number;
}

/**
 * Compares AppConfig with the serverless stacks for the servers of a workload alone: AppConfig has no SDKs for browsers and phones.
 *
 * @returns undefined where the workload has no servers
 */
export function compareAppConfig(workload: Workload, assumed: Assumptions): AppConfigComparison | undefined {
  const servers = serversOf(workload);
  if (servers.connections === 0) return undefined;
  const appConfig = changeCost(servers, appConfigCost);
  const serverless = changeCost(servers, (load) => {
    const { bill, isPossible } = costOf('serverless', load, assumed);
    return isPossible ? bill.total : Number.POSITIVE_INFINITY;
  });
  const more = serverless.unchanged - appConfig.unchanged;
  const saved = appConfig.change - serverless.change;
  return {
    servers: servers.connections,
    changes: trafficOf(servers).changes,
    appConfig,
    serverless,
    breakEven: saved > 0 ? Math.max(0, more / saved) : Number.POSITIVE_INFINITY,
  };
}

/** A comparison as a table: its head, and rows that start with a name. */
export function appConfigTable(
  { servers, appConfig, serverless, breakEven }: AppConfigComparison,
  { period, cost, money, count }: Figures,
): { readonly head: readonly string[]; readonly rows: readonly (readonly string[])[] } {
  const both = (of: (each: ChangeCost) => string) => [of(appConfig), of(serverless)];
  const changes = count(Math.ceil(breakEven));
  const cheaper =
    breakEven > 0 ? [`fewer than ${changes} changes a month`, `${changes} or more`] : ['–', 'any changes'];
  return {
    head: [`for ${count(servers)} servers, US dollars`, 'AWS AppConfig', ARCHITECTURES.serverless],
    rows: [
      [`a ${period}`, ...both(({ total }) => cost(total))],
      [`a ${period} without changes`, ...both(({ unchanged }) => cost(unchanged))],
      ['each change', ...both(({ change }) => money(change))],
      ['cheaper with', ...(Number.isFinite(breakEven) ? cheaper : ['–', '–'])],
    ],
  };
}

/**
 * The servers of a workload, and nothing that AppConfig does not do: no insight events and no messages. They start only where their
 * number grows, which favours AppConfig: it charges each start as a configuration received.
 */
function serversOf(workload: Workload): Workload {
  const sdks = workload.sdks.filter(({ type }) => type === 'server');
  const part = sdks.reduce((sum, { share }) => sum + share, 0);
  return {
    ...workload,
    connections: workload.connections * part,
    newPerHour: 0,
    messagesPerHour: 0,
    eventsPerHour: 0,
    sdks: sdks.map((sdk) => ({ ...sdk, share: sdk.share / part })),
  };
}

/** What AppConfig costs a month, in US dollars. @param servers each polls one configuration all the time that it runs */
function appConfigCost(servers: Workload): number {
  const { connectionHours, starts, pushes } = trafficOf(servers);
  const polls = (connectionHours * 3_600) / APP_CONFIG.pollSeconds;
  return polls * APP_CONFIG.requestUsd + (starts + pushes) * APP_CONFIG.receivedUsd;
}

function changeCost(servers: Workload, cost: (load: Workload) => number): ChangeCost {
  const withChanges = (aMonth: number) => cost({ ...servers, changesPerDay: aMonth / servers.days });
  const unchanged = withChanges(0);
  return { total: cost(servers), unchanged, change: withChanges(1) - unchanged };
}
