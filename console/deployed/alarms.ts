import type { DescribeAlarmsCommandInput, MetricAlarm } from '@aws-sdk/client-cloudwatch';
import { omitUndefined } from '../../shared/runtime/omitUndefined.ts';
import type { Alarms } from '../attention.ts';

/** The used part of the CloudWatch client. */
export type DescribeAlarms = (input: DescribeAlarmsCommandInput) => Promise<readonly MetricAlarm[]>;

/** Maximum of one answer. */
const MAX_ALARMS = 100;

/**
 * Names of the alarms without the deployment's prefix. Alarms are requested by name, because another deployment can
 * have the same prefix, such as `Flagwire-prod-eu`.
 */
export const ALARMS = [
  'balancer-ports',
  'connect-throttles',
  'connection-errors',
  'cost-rate',
  'deliver-errors',
  'heal-errors',
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

/** Reads a deployment's alarms, including the cost alarm (`monthlyBudget`). This is free. */
export async function readAlarms(describe: DescribeAlarms, deployment: string, region: string): Promise<Alarms> {
  const prefix = `${deployment}-`;
  const alarms = await describe({ AlarmNames: ALARMS.map((name) => prefix + name), MaxRecords: MAX_ALARMS });
  const firing = alarms.filter(({ StateValue }) => StateValue === 'ALARM');
  return {
    total: alarms.length,
    firing: firing.map(({ AlarmName = '', AlarmDescription = '', StateTransitionedTimestamp }) => ({
      name: AlarmName.slice(prefix.length),
      meaning: AlarmDescription,
      url: `https://${region}.console.aws.amazon.com/cloudwatch/home?region=${region}#alarmsV2:alarm/${encodeURIComponent(AlarmName)}`,
      ...omitUndefined({ since: StateTransitionedTimestamp?.getTime() }),
    })),
  };
}
