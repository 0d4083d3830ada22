import { FAST_POLL_SECONDS } from '../../config/values.ts';
import type { HostResources } from './hostGrants.ts';

/** The port of hosts, which is that of FeatBit's evaluation server. */
export const HOST_PORT = 5_100;

/** The port for Prometheus, which nothing forwards and no security group opens. */
const METRICS_PORT = 5_101;

/** The environment variables of hosts on machines and on Fargate. */
export function hostEnvironment(
  { config, flags, connections, insightStream, usage }: HostResources,
  { pollIntervalMs, fastPollSeconds }: { readonly pollIntervalMs: number; readonly fastPollSeconds: number },
  region: string,
): Record<string, string> {
  return {
    FLAGS_TABLE: flags.tableName,
    ...(connections ? { CONNECTIONS_TABLE: connections.tableName } : {}),
    AWS_REGION: region,
    PORT: String(HOST_PORT),
    INSIGHT_STREAM: insightStream,
    USAGE_TABLE: usage?.tableName ?? 'off',
    MISSING_ATTRIBUTE: config.missingAttribute,
    POLL_INTERVAL_MS: String(pollIntervalMs),
    ...(fastPollSeconds === FAST_POLL_SECONDS ? {} : { FAST_POLL_MS: String(fastPollSeconds * 1_000) }),
    METRICS_PORT: String(METRICS_PORT),
  };
}
