import type { WorkloadInput } from '../../../cost/model/workload/workload.ts';
import { SDK_PING_SECONDS } from '../../../shared/protocol/ping.ts';
import type { LiveState } from '../../live.ts';

/** What the cost of a month is computed from, in addition to live traffic. */
interface Environment {
  /** Flags that are not archived. */
  readonly flags: number;
  /** Bytes of a flag as it is stored, on average. */
  readonly flagBytes: number;
  /** The region whose prices count. There must be a price sheet for it. */
  readonly region: 'us-east-1' | 'eu-west-1';
}

/** Numbers that a user enters in place of the live ones. */
export interface EnteredTraffic {
  readonly connections?: number | undefined;
  readonly newPerHour?: number | undefined;
  readonly changesPerDay?: number | undefined;
}

/** Minutes of traffic that an estimate needs. */
export const MINUTES_NEEDED = 10;

/** The most changes a day that the cost model takes. */
export const MOST_CHANGES = 1_000_000;

/** Seconds between pings of server SDKs: most send one each 10 s. */
const SERVER_PING_SECONDS = 10;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Whole minutes of traffic that were observed, of {@link MINUTES_NEEDED}. Where no metrics can be read, nothing has to be waited for. */
export function minutesObserved({ recent }: LiveState): number {
  return recent ? Math.min(MINUTES_NEEDED, Math.floor(recent.windowMs / MINUTE_MS)) : MINUTES_NEEDED;
}

/** Whether a month can be estimated: traffic was observed for long enough, or the user entered it. */
export function isEstimable(state: LiveState, { connections, newPerHour, changesPerDay }: EnteredTraffic): boolean {
  const isEntered = connections !== undefined && newPerHour !== undefined && changesPerDay !== undefined;
  return isEntered || minutesObserved(state) === MINUTES_NEEDED;
}

/**
 * A month in which every hour is like the last minutes, for the cost model.
 *
 * @param entered connections without new ones an hour keep the live ratio between the two
 */
export function liveWorkload(
  { connections, recent }: LiveState,
  { flags, flagBytes, region }: Environment,
  entered: EnteredTraffic = {},
): WorkloadInput {
  const { byType } = connections;
  const total = entered.connections ?? connections.total;
  const opened = recent ? ((recent.opened ?? recent.syncs) * HOUR_MS) / recent.windowMs : 0;
  const scaled = connections.total > 0 ? (opened * total) / connections.total : 0;
  const changes = recent?.changes === undefined ? undefined : (recent.changes * 24 * HOUR_MS) / recent.windowMs;
  const changesPerDay = entered.changesPerDay ?? changes;
  const clients = byType.client;
  const servers = byType.server + byType.relay;
  const sdks = [
    { share: clients / (clients + servers), pingSeconds: SDK_PING_SECONDS, type: 'client' as const },
    { share: servers / (clients + servers), pingSeconds: SERVER_PING_SECONDS, type: 'server' as const },
  ].filter(({ share }) => share > 0);
  return {
    region,
    connections: total,
    newPerHour: total > 0 ? (entered.newPerHour ?? scaled) : 0,
    ...(sdks.length > 0 ? { sdks } : {}),
    flags,
    flagBytes: Math.round(flagBytes),
    ...(changesPerDay === undefined ? {} : { changesPerDay: Math.min(MOST_CHANGES, changesPerDay) }),
  };
}
