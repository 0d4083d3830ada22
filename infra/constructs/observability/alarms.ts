import { Construct } from 'constructs';
import { MONTH_HOURS } from '../../../cost/prices/tiers.ts';
import { postRates } from '../../config/postRates.ts';
import { serverlessCostForAlarm, serverlessStanding } from '../cost/serverlessCost.ts';
import { httpMetric, type ObservedDeployment, ownMetric, period, streamingMetric } from '../observed.ts';
import { alarmOn, type Concern } from './concern.ts';

/** Time that a change may wait before an alarm, in seconds. */
const LONGEST_WAIT_SECONDS = 60;
/** For errors that AWS or the caller retries: two of three periods must have some. */
const LASTING = { limit: 0, periods: 2, outOf: 3 } as const;
/** Limit of the 99th percentile of data-syncs, in milliseconds. It allows for a cold start of connect and sync. */
const SYNC_P99_MS = 2_000;

/**
 * Adds the alarms. Each is on one metric, so that it can be read and tested by itself, except the cost alarm, which is on a sum. Without use,
 * nothing is measured. A lean deployment has as many alarms as are free in an account.
 */
export function addAlarms(parent: Construct, observed: ObservedDeployment): void {
  const { config } = observed;
  const scope = new Construct(parent, 'Alarms');
  const concerns = concernsOf(observed).filter(({ isDispensable }) => !(config.lean && isDispensable));
  alarmOn(scope, config, [...concerns, ...costConcern(scope, observed)]);
}

/** A month's budget as a rate. AWS Budgets takes hours to report. */
function costConcern(scope: Construct, observed: ObservedDeployment): Concern[] {
  const { monthlyBudget, lean } = observed.config;
  if (monthlyBudget === undefined) return [];
  // A lean deployment fits the free allowances. For others, it is unknown what else uses them.
  const standing = serverlessStanding(scope, observed, lean ? 'always' : 'none');
  return [
    {
      name: 'cost-rate',
      metric: serverlessCostForAlarm(scope, observed),
      limit: Math.max(0, monthlyBudget - standing) / MONTH_HOURS,
      periods: 12,
      meaning: `For an hour, messages and tables cost at a rate of more than ${monthlyBudget} dollars a month. The dashboard shows what grew. Set longer ping intervals in the SDKs.`,
    },
  ];
}

/** Connections of one environment that a change reaches within {@link LONGEST_WAIT_SECONDS}. One call is always left to others. */
function mostInTime(config: ObservedDeployment['config']): number {
  return Math.floor(postRates(config).deliver * (config.deliverConcurrency - 1) * LONGEST_WAIT_SECONDS);
}

/**
 * One concern for each kind of visible problem. Its causes (a throttled table, a function that failed and was called again) are on the
 * dashboard, and have no alarms.
 */
function concernsOf(observed: ObservedDeployment): Concern[] {
  const { push, streaming, heal, config } = observed;
  const sum = { statistic: 'Sum', period };
  const oldest = { statistic: 'Maximum', period };
  return [
    {
      name: 'connect-throttles',
      metric: streaming.functions.connect.handler.metricThrottles(sum),
      ...LASTING,
      meaning:
        'Lambda refused handshakes, because too many functions ran at once. Raise the account’s quota of concurrent executions, or reserve more.',
    },
    {
      name: 'sync-throttles',
      metric: streaming.functions.sync.handler.metricThrottles(sum),
      ...LASTING,
      // connect-throttles covers the same pool unless concurrency is reserved. unanswered-connections covers waiting clients.
      isDispensable: true,
      meaning:
        'Lambda refused data-syncs, because too many functions ran at once. The first data-sync of a connection is answered within a minute. After a later one, an SDK gets its new flags only when it reconnects. Raise the account’s quota of concurrent executions, or reserve more.',
    },
    {
      name: 'heal-errors',
      metric: heal.handler.metricErrors(sum),
      ...LASTING,
      // No answered client is affected, and other alarms cover the causes of unanswered connections.
      isDispensable: true,
      meaning:
        'The function heal failed or timed out, so connections without an answer do not get one. Look in its log for level ERROR and for timeouts.',
    },
    {
      name: 'unpublished-changes',
      metric: push.deadLetters.unpublished.metricApproximateNumberOfMessagesVisible(oldest),
      limit: 0,
      meaning:
        'Changes or revocations of secrets were moved to the queue of unpublished changes. Connected SDKs may not get these changes until the next change or until they reconnect, and stay connected with a revoked secret. Find the cause in the logs of publish and revoke. docs/operations/alarms.md#changes-in-a-dead-letter-queue says what to do with the messages.',
    },
    {
      name: 'undelivered-changes',
      metric: push.deadLetters.undelivered.metricApproximateNumberOfMessagesVisible(oldest),
      limit: 0,
      // push-queue-age fires two hours earlier.
      isDispensable: true,
      meaning:
        'Changes were moved to the queue of undelivered changes. Connected SDKs may not get them until the next change or until they reconnect. Find the cause in the log of deliver. docs/operations/alarms.md#changes-in-a-dead-letter-queue says what to do with the messages.',
    },
    {
      name: 'unreadable-changes',
      metric: ownMetric(observed, 'push.unreadable', 'Sum'),
      limit: 0,
      meaning:
        'A flag or segment is not sent to SDKs, because it cannot be read, is too large for a message, or has a key that ends processes. Overview in the console names it. Look in the logs of publish, sync and deliver for “stream record set aside” and “document not sent”. Make it smaller, or write it again with the flags CLI.',
    },
    {
      name: 'publish-iterator-age',
      metric: push.publish.handler.metric('IteratorAge', oldest),
      limit: LONGEST_WAIT_SECONDS * 1000,
      meaning:
        'Changes have waited in the flags table stream for more than a minute. The function publish fails or is too slow. Look at its log and throttles.',
    },
    {
      name: 'deliver-errors',
      metric: push.deliver.handler.metricErrors(sum),
      ...LASTING,
      // push-queue-age fires as well: failed messages stay in the queue.
      isDispensable: true,
      meaning:
        'The function deliver failed or timed out, and changes wait for another attempt. Look in its log for level ERROR and for timeouts.',
    },
    {
      name: 'revoke-errors',
      metric: push.revocations.revoke.handler.metricErrors(sum),
      ...LASTING,
      // unpublished-changes fires an hour later, after ten tries.
      isDispensable: true,
      meaning:
        'The function revoke failed or timed out, and connections with revoked secrets stay open. Look in its log for level ERROR and for timeouts.',
    },
    {
      name: 'push-queue-age',
      metric: push.queue.metricApproximateAgeOfOldestMessage(oldest),
      limit: LONGEST_WAIT_SECONDS,
      meaning: `Changes have waited in the push queue for more than a minute. The function deliver fails or is too slow. Look at its log and throttles, and at 429 of @connections. A change to more than ${mostInTime(config)} connections of one environment always takes longer. For that, raise the account's quota and throttlingRate.`,
    },
    {
      name: 'http-5xx',
      metric: httpMetric(observed, '5xx'),
      ...LASTING,
      meaning:
        'HTTP requests were answered with 5xx. The access log shows which requests. Look for the cause in the log and throttles of the function http.',
    },
    {
      name: 'streaming-integration-errors',
      metric: streamingMetric(observed, 'IntegrationError'),
      ...LASTING,
      meaning:
        'Functions of the WebSocket API returned errors, and messages got no answer. Look at the logs of sync, defaultRoute and disconnect, and at throttles of sync.',
    },
    {
      name: 'streaming-execution-errors',
      metric: streamingMetric(observed, 'ExecutionError'),
      ...LASTING,
      meaning:
        'API Gateway could not call a function of the WebSocket API. Look at its throttles, then deploy with streamingExecutionLogs=true, which logs the reason.',
    },
    {
      name: 'connection-errors',
      metric: ownMetric(observed, 'websocket.connections.errors', 'Sum'),
      ...LASTING,
      meaning:
        'Handshakes or data-syncs failed with an error of the service, and their SDKs got no flags. Look in the logs of connect and sync for level ERROR, and at throttles of the tables.',
    },
    {
      name: 'unanswered-connections',
      metric: ownMetric(observed, 'healed.waiting', 'Maximum'),
      limit: 0,
      periods: 2,
      meaning:
        'For ten minutes, connections have waited for an answer or a change, because AWS refused it or their clients do not read. Look in the log of heal for the service that refuses, and raise its quota. A line of level ERROR names a connection that is no longer retried.',
    },
    {
      name: 'sync-p99',
      metric: ownMetric(observed, 'sync.latency', 'p99'),
      limit: SYNC_P99_MS,
      periods: 3,
      isDispensable: true,
      meaning: `For a quarter of an hour, one data-sync in a hundred took more than ${SYNC_P99_MS / 1000} seconds. Look at throttles of Lambda and the tables. To have instances ready, set syncConcurrency.provisioned.`,
    },
  ];
}
