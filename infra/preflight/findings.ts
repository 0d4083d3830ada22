import { SDK_PING_SECONDS } from '../../shared/protocol/ping.ts';
import type { Concurrency, Config } from '../config/config.ts';
import type { Fargate } from '../config/fargate.ts';
import { ROUTE_SHARES } from '../constructs/streaming/routeShares.ts';
import type { Finding } from './finding.ts';
import { type AccountLimits, QUOTAS, type Quota, requestFor } from './quotas.ts';

/**
 * Concurrent executions that Lambda keeps for functions without a reservation: https://docs.aws.amazon.com/lambda/latest/dg/configuration-concurrency.html.
 * An account that has fewer keeps all of them, as Lambda's error says in accounts of 10 and 50
 * (https://github.com/aws-samples/sample-one-click-generative-ai-solutions/issues/3,
 * https://github.com/aws-samples/siem-on-amazon-opensearch-service/issues/175).
 */
const KEPT_UNRESERVED = 100;
/** Concurrent executions for the queue of revocations. */
const REVOCATIONS = 2;
/** Below these values, an account has less than AWS's documented defaults. */
const FEW_EXECUTIONS = 100;
const DEFAULT_NEW_CONNECTIONS = 500;
/** Acceptable time until all connections are back after an outage (docs/scale.md). */
const RECONNECT_SECONDS = 600;

/** Compares the deployment's needs with the account's limits. Unread limits are skipped. */
export function findingsFor(config: Config, limits: AccountLimits): Finding[] {
  return [
    ...reservations(config, limits),
    ...throttles(config, limits),
    ...bottlenecks(config, limits),
    ...fargateFindings(config.fargate, limits),
  ];
}

/** Reserved and provisioned concurrency: Lambda grants them only above what it keeps for all other functions. */
function reservations({ connectConcurrency, syncConcurrency }: Config, limits: AccountLimits): Finding[] {
  const { region, concurrency, unreserved = concurrency } = limits;
  const reserved = reservedExecutions(connectConcurrency) + reservedExecutions(syncConcurrency);
  if (concurrency === undefined || unreserved === undefined || reserved === 0) return [];
  const wayOut = `lower connectConcurrency and syncConcurrency, or ${requestFor(QUOTAS.concurrency, reserved + KEPT_UNRESERVED, region)}`;
  if (concurrency - reserved < KEPT_UNRESERVED) {
    const kept = concurrency <= KEPT_UNRESERVED ? 'all' : `${KEPT_UNRESERVED}`;
    const text = `Lambda will refuse to reserve ${reserved} concurrent executions for connect and sync: the account has ${concurrency}, and ${kept} must stay unreserved. Way out: ${wayOut}`;
    return [{ isRefused: true, text }];
  }
  if (unreserved - reserved < KEPT_UNRESERVED) {
    const text = `Lambda will refuse to reserve ${reserved} concurrent executions for connect and sync, unless this deployment has them already: ${unreserved} of the account's ${concurrency} are unreserved, and ${KEPT_UNRESERVED} must stay so. Way out: ${wayOut}`;
    return [{ isRefused: false, text }];
  }
  return [];
}

function reservedExecutions({ reserved = 0, provisioned = 0 }: Concurrency): number {
  return Math.max(reserved, provisioned);
}

/** A stage's throttle cannot be above the account's quota. */
function throttles(config: Config, limits: AccountLimits): Finding[] {
  const { region, throttleRate: rate = config.throttlingRate, throttleBurst: burst = config.throttlingBurst } = limits;
  const refused: Finding[] = [];
  if (config.throttlingRate > rate) {
    const more = requestFor(QUOTAS.throttleRate, config.throttlingRate, region);
    const text = `API Gateway will refuse throttlingRate=${config.throttlingRate}: the account's quota is ${rate} requests a second. Remove the setting, or: ${more}`;
    refused.push({ isRefused: true, text });
  }
  if (config.throttlingBurst > burst) {
    const text = `API Gateway will refuse throttlingBurst=${config.throttlingBurst}: the account's quota is ${burst} requests at once, which AWS raises only with the rate. Remove the setting`;
    refused.push({ isRefused: true, text });
  }
  return refused;
}

function bottlenecks({ deliverConcurrency, throttlingRate }: Config, limits: AccountLimits): Finding[] {
  const { region, concurrency = Number.POSITIVE_INFINITY, newConnections = Number.POSITIVE_INFINITY } = limits;
  const texts: string[] = [];
  if (concurrency < FEW_EXECUTIONS) {
    texts.push(
      `More than ${concurrency} calls at once will not work: Lambda refuses further handshakes and data-syncs, and SDKs wait for flags. Request more: ${requestFor(QUOTAS.concurrency, 1_000, region)}`,
    );
  }
  if (deliverConcurrency + REVOCATIONS >= concurrency) {
    texts.push(
      `Handshakes and data-syncs will not work during pushes: deliveries and revocations may use ${deliverConcurrency + REVOCATIONS} of the account's ${concurrency} concurrent executions. Run with --set deliverConcurrency=${fittingDeliveries(concurrency)}`,
    );
  }
  if (newConnections < DEFAULT_NEW_CONNECTIONS) {
    texts.push(
      `More than ${newConnections} new connections a second will not work. Request more: ${requestFor(QUOTAS.newConnections, DEFAULT_NEW_CONNECTIONS, region)}`,
    );
  }
  const connections = Math.floor(throttlingRate * ROUTE_SHARES.ping * SDK_PING_SECONDS);
  const needed = Math.ceil(connections / RECONNECT_SECONDS);
  if (newConnections >= DEFAULT_NEW_CONNECTIONS && needed > newConnections) {
    const minutes = Math.ceil(connections / newConnections / 60);
    texts.push(
      `The throttle allows pings of ${connections} connections. After an outage they need ${minutes} minutes to reconnect, at ${newConnections} a second. Request more: ${requestFor(QUOTAS.newConnections, needed, region)}`,
    );
  }
  return texts.map((text) => ({ isRefused: false, text }));
}

/**
 * Compares the vCPUs that tasks need with the account's quota: for the minimum of tasks, and for twice the maximum, because a
 * deployment starts new tasks next to old ones. Other tasks in the account are unknown.
 */
function fargateFindings(fargate: Fargate | undefined, limits: AccountLimits): Finding[] {
  if (!fargate) return [];
  const spot = fargate.spotPercent / 100;
  return [
    ...vcpusAbove('on demand', QUOTAS.fargateVcpus, limits.fargateVcpus, 1 - spot, fargate, limits.region),
    ...vcpusAbove('on Spot', QUOTAS.spotVcpus, limits.spotVcpus, spot, fargate, limits.region),
  ];
}

function vcpusAbove(
  how: string,
  quota: Quota,
  available = Number.POSITIVE_INFINITY,
  share: number,
  { count, maximum, vcpu }: Fargate,
  region: string,
): Finding[] {
  const processors = (tasks: number) => Math.ceil(tasks * share) * vcpu;
  const needed = processors(2 * maximum);
  if (available >= needed) return [];
  const isRefused = available < processors(count);
  const [what, why] = isRefused
    ? [`${count} tasks`, `they need ${processors(count)} vCPUs ${how}`]
    : ['all tasks', `a deployment needs up to ${needed} vCPUs ${how} while it replaces ${maximum} tasks`];
  const wayOut = `lower fargate.vcpu or fargate.${isRefused ? 'count' : 'maximum'}, or ${requestFor(quota, Math.ceil(needed), region)}`;
  return [
    {
      isRefused,
      text: `Fargate will not start ${what}: ${why}, and the account's quota is ${available}. Way out: ${wayOut}`,
    },
  ];
}

/** The number of concurrent deliveries that leaves most concurrent executions to handshakes and data-syncs. Lambda's minimum is two. */
export function fittingDeliveries(concurrency: number): number {
  return Math.max(2, Math.floor(concurrency * 0.4));
}
