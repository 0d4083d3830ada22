import type { DescribeAlarmsCommandInput, MetricAlarm } from '@aws-sdk/client-cloudwatch';
import { omitUndefined } from '../../shared/runtime/omitUndefined.ts';
import type { Alarms } from '../attention.ts';

/** What of CloudWatch's client is used. @throws what AWS says */
export type DescribeAlarms = (input: DescribeAlarmsCommandInput) => Promise<readonly MetricAlarm[]>;

/** As many as one answer holds. */
const MOST_ALARMS = 100;

/**
 * The alarms of the stacks, without the name of the deployment. They are asked for by name: what begins with the name of a
 * deployment may belong to another one, as `Flagwire-prod-eu-http-5xx` does.
 */
export const ALARMS = [
  'balancer-ports',
  'connect-throttles',
  'connection-errors',
  'cost-rate',
  'deliver-errors',
  'heal-errors',
  'host-balancer-ports',
  'hosts-missing',
  'http-5xx',
  'publish-iterator-age',
  'push-queue-age',
  'revoke-errors',
  'streaming-execution-errors',
  'streaming-integration-errors',
  'sync-p99',
  'sync-throttles',
  'tasks-connections',
  'tasks-memory',
  'tasks-missing',
  'tasks-not-ready',
  'tasks-processor',
  'unanswered-connections',
  'undelivered-changes',
  'unpublished-changes',
  'unreadable-changes',
];

/** Reads a deployment's alarms, which costs nothing. The one on cost (`monthlyBudget`) is one of them. */
export async function readAlarms(describe: DescribeAlarms, deployment: string, region: string): Promise<Alarms> {
  const prefix = `${deployment}-`;
  const alarms = await describe({ AlarmNames: ALARMS.map((name) => prefix + name), MaxRecords: MOST_ALARMS });
  const firing = alarms.filter(({ StateValue }) => StateValue === 'ALARM');
  return {
    total: alarms.length,
    firing: firing.map(({ AlarmName = '', AlarmDescription = '', StateTransitionedTimestamp }) => ({
      name: AlarmName.slice(prefix.length),
      meaning: AlarmDescription,
      url: alarmUrl(AlarmName, region),
      ...omitUndefined({ since: StateTransitionedTimestamp?.getTime() }),
    })),
  };
}

/** An alarm's page in the AWS console. */
function alarmUrl(name: string, region: string): string {
  return `https://${region}.console.aws.amazon.com/cloudwatch/home?region=${region}#alarmsV2:alarm/${encodeURIComponent(name)}`;
}
