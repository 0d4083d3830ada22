import type { Workload, WorkloadInput } from '../../../cost/model/workload/workload.ts';
import { SDK_PING_SECONDS } from '../../../shared/protocol/ping.ts';
import type { LiveState } from '../../live.ts';

/** Minutes of traffic after which an estimate is not provisional. */
export const MINUTES_NEEDED = 10;

/** Most server SDKs ping every 10 s. */
const SERVER_PING_SECONDS = 10;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Days of the changes that the server counts. Those of a few minutes, such as of a first try, are no pace. */
const CHANGES_DAYS = 7;

/** Whole minutes of observed traffic, at most {@link MINUTES_NEEDED}. Without access to metrics, there is nothing to observe. */
export function minutesObserved({ recent }: LiveState): number {
  return recent ? Math.min(MINUTES_NEEDED, Math.floor(recent.windowMs / MINUTE_MS)) : MINUTES_NEEDED;
}

/**
 * Extrapolates live traffic to a month in which every hour is like the last ten minutes, with the changes of a week. Before that, new
 * connections are the default of the cost model.
 *
 * @param environment its flags without archived ones, their average size in bytes, and the region of the prices
 * @param changes of the last 7 days; undefined if they are not known
 */
export function liveWorkload(
  state: LiveState,
  environment: Pick<Workload, 'flags' | 'flagBytes' | 'region'>,
  changes: number | undefined,
): WorkloadInput {
  const { total, byType } = state.connections;
  const { windowMs = HOUR_MS, opened, syncs = 0 } = state.recent ?? {};
  // One SDK that has just started is no pace of new connections.
  const isProvisional = total > 0 && minutesObserved(state) < MINUTES_NEEDED;
  const newPerHour = total > 0 ? Math.round(((opened ?? syncs) * HOUR_MS) / windowMs) : 0;
  const clients = byType.client;
  const servers = byType.server + byType.relay;
  const sdks = [
    { share: clients / (clients + servers), pingSeconds: SDK_PING_SECONDS, type: 'client' as const },
    { share: servers / (clients + servers), pingSeconds: SERVER_PING_SECONDS, type: 'server' as const },
  ].filter(({ share }) => share > 0);
  return {
    ...environment,
    connections: total,
    ...(isProvisional ? {} : { newPerHour }),
    ...(sdks.length > 0 ? { sdks } : {}),
    flagBytes: Math.round(environment.flagBytes),
    ...(changes === undefined ? {} : { changesPerDay: Number((changes / CHANGES_DAYS).toFixed(1)) }),
  };
}
