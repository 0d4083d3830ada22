import type { WorkloadInput } from '../../../cost/model/workload.ts';
import { SDK_PING_SECONDS } from '../../../shared/protocol/ping.ts';
import type { LiveState } from '../../live.ts';

/** What the cost of a month is made from, beside what is live. */
interface Environment {
  /** Flags that are not archived. */
  readonly flags: number;
  /** Bytes of a flag as it is stored, on average. */
  readonly flagBytes: number;
  /** The region whose prices count, where there is a price sheet for it. */
  readonly region: 'us-east-1' | 'eu-west-1';
}

/** Seconds between pings of server SDKs: most send one each 10 s. */
const SERVER_PING_SECONDS = 10;
const HOUR_MS = 3_600_000;

/** A month in which every hour is like now, for the cost model. */
export function liveWorkload(
  { connections, recent }: LiveState,
  { flags, flagBytes, region }: Environment,
): WorkloadInput {
  const { total, byType } = connections;
  const opened = recent ? ((recent.opened ?? recent.syncs) * HOUR_MS) / recent.windowMs : 0;
  const changes =
    recent?.changes === undefined ? {} : { changesPerDay: (recent.changes * 24 * HOUR_MS) / recent.windowMs };
  const clients = byType.client;
  const servers = byType.server + byType.relay;
  const sdks = [
    { share: clients / (clients + servers), pingSeconds: SDK_PING_SECONDS, type: 'client' as const },
    { share: servers / (clients + servers), pingSeconds: SERVER_PING_SECONDS, type: 'server' as const },
  ].filter(({ share }) => share > 0);
  return {
    region,
    connections: total,
    newPerHour: total > 0 ? opened : 0,
    ...(sdks.length > 0 ? { sdks } : {}),
    flags,
    flagBytes: Math.round(flagBytes),
    ...changes,
  };
}
