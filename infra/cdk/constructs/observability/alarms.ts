import { Construct } from 'constructs';
import { MONTH_HOURS } from '../../../cost/model/workload.ts';
import { serverlessCostForAlarm, serverlessStanding } from '../cost/serverlessCost.ts';
import { alarmOn, type Concern } from './concern.ts';
import {
  functionsOf,
  httpMetric,
  type Observed,
  ownMetric,
  period,
  streamingMetric,
  tableThrottles,
} from './observed.ts';

/** How long a change may wait before somebody should look, in seconds. */
const LONGEST_WAIT_SECONDS = 60;
/** What 99 of 100 syncs should stay below, in milliseconds; a cold start of connect and sync fits in. */
const SYNC_P99_MS = 2_000;

/**
 * The alarms: each on one metric, so that it can be read and tested by itself; that on cost on a sum of some. A service that nobody
 * uses measures nothing.
 */
export class Alarms extends Construct {
  constructor(scope: Construct, id: string, observed: Observed) {
    super(scope, id);
    alarmOn(this, observed.config, [...concernsOf(observed), ...costConcern(this, observed)]);
  }
}

/** A month's budget as a rate: long before AWS Budgets knows of it, which takes hours. */
function costConcern(scope: Construct, observed: Observed): Concern[] {
  const { monthlyBudget } = observed.config;
  if (monthlyBudget === undefined) return [];
  return [
    {
      name: 'cost-rate',
      metric: serverlessCostForAlarm(scope, observed).total,
      limit: Math.max(0, monthlyBudget - serverlessStanding(scope, observed)) / MONTH_HOURS,
      periods: 12,
      meaning: `For an hour, messages and tables cost at a rate that comes to more than ${monthlyBudget} dollars a month. Look at the dashboard for what grew, and lengthen the SDKs' pings.`,
    },
  ];
}

function concernsOf(observed: Observed): Concern[] {
  const { push, tables } = observed;
  const functions = Object.entries(functionsOf(observed));
  const sum = { statistic: 'Sum', period };
  const oldest = { statistic: 'Maximum', period };
  return [
    // Not those of connect: it answers a malformed token with an error, for which API Gateway sends 401.
    ...functions
      .filter(([name]) => name !== 'connect')
      .map(([name, { handler }]) => ({
        name: `${name}-errors`,
        metric: handler.metricErrors(sum),
        limit: 0,
        meaning: `The function ${name} threw or ran out of time. Look in its log for level ERROR and for timeouts.`,
      })),
    // Those that somebody waits for; streams and queues call the others again, and their age tells of it.
    ...functions
      .filter(([name]) => ['connect', 'sync', 'http'].includes(name))
      .map(([name, { handler }]) => ({
        name: `${name}-throttles`,
        metric: handler.metricThrottles(sum),
        limit: 0,
        meaning: `Lambda turned away calls of the function ${name}, as too many ran at once. Raise the account's quota of concurrent executions, or what is reserved.`,
      })),
    ...Object.entries(push.deadLetters).map(([name, queue]) => ({
      name: `${name}-changes`,
      metric: queue.metricApproximateNumberOfMessagesVisible(oldest),
      limit: 0,
      meaning: `Changes were set aside in the queue of ${name} ones: connected SDKs may lack them until the next change or until they connect again. Find out why in the logs of publish and deliver; docs/operations.md says what to do with the messages.`,
    })),
    {
      name: 'publish-iterator-age',
      metric: push.publish.handler.metric('IteratorAge', oldest),
      limit: LONGEST_WAIT_SECONDS * 1000,
      meaning:
        'Changes have waited in the flags table stream for more than a minute: the function publish fails or cannot keep up. Look at its log and throttles.',
    },
    {
      name: 'push-queue-age',
      metric: push.queue.metricApproximateAgeOfOldestMessage(oldest),
      limit: LONGEST_WAIT_SECONDS,
      meaning:
        'Changes have waited in the push queue for more than a minute: the function deliver fails or cannot keep up. Look at its log and throttles, and at 429 of @connections.',
    },
    ...Object.entries(tables).flatMap(([name, table]) =>
      (['Read', 'Write'] as const).map((kind) => ({
        name: `${name}-table-${kind.toLowerCase()}-throttles`,
        metric: tableThrottles(table, kind),
        limit: 0,
        meaning: `DynamoDB turned away ${kind.toLowerCase()}s of the ${name} table. Set its warm throughput (flagwire:${name}Warm${kind}s), or spread what asks.`,
      })),
    ),
    {
      name: 'http-5xx',
      metric: httpMetric(observed, '5xx'),
      limit: 0,
      meaning:
        'HTTP requests were answered with 5xx. Look at the access log for which, and at the log of the function http for why.',
    },
    {
      name: 'streaming-integration-errors',
      metric: streamingMetric(observed, 'IntegrationError'),
      limit: 0,
      meaning:
        'Functions behind the WebSocket API answered with an error, and the messages got no answer. Look at the logs of sync, defaultRoute and disconnect.',
    },
    {
      name: 'streaming-execution-errors',
      metric: streamingMetric(observed, 'ExecutionError'),
      limit: 0,
      meaning:
        'API Gateway could not call a function of the WebSocket API. Look at its throttles, then deploy with flagwire:streamingExecutionLogs=true, which logs the reason.',
    },
    {
      name: 'connection-errors',
      metric: ownMetric(observed, 'websocket.connections.errors', 'Sum'),
      limit: 0,
      meaning:
        'Handshakes or data-syncs ended in an error of the service, and their SDKs got no flags. Look in the logs of connect and sync for level ERROR.',
    },
    {
      name: 'unanswered-connections',
      metric: ownMetric(observed, 'healed.waiting', 'Maximum'),
      limit: 0,
      periods: 2,
      meaning:
        'For ten minutes, connections have waited for an answer that AWS refused, and could not be healed. Look in the log of heal for what refuses, and raise its quota.',
    },
    {
      name: 'sync-p99',
      metric: ownMetric(observed, 'sync.latency', 'p99'),
      limit: SYNC_P99_MS,
      periods: 3,
      meaning: `For a quarter of an hour, one data-sync in a hundred took more than ${SYNC_P99_MS / 1000} seconds. Look at throttles of Lambda and the tables; keep instances warm with flagwire:syncProvisionedConcurrency.`,
    },
  ];
}
