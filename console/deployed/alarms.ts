import type { DescribeAlarmsCommandInput, MetricAlarm } from '@aws-sdk/client-cloudwatch';
import { omitUndefined } from '../../shared/runtime/omitUndefined.ts';
import type { Alarms } from '../attention.ts';

/** What of CloudWatch's client is used. @throws what AWS says */
export type DescribeAlarms = (input: DescribeAlarmsCommandInput) => Promise<readonly MetricAlarm[]>;

/** As many as one answer holds; a deployment has fewer than 30. */
const MOST_ALARMS = 100;

/** Reads a deployment's alarms, which costs nothing. The one on cost (`monthlyBudget`) is one of them. */
export async function readAlarms(describe: DescribeAlarms, deployment: string): Promise<Alarms> {
  const prefix = `${deployment}-`;
  const alarms = await describe({ AlarmNamePrefix: prefix, MaxRecords: MOST_ALARMS });
  const firing = alarms.filter(({ StateValue }) => StateValue === 'ALARM');
  return {
    total: alarms.length,
    firing: firing.map(({ AlarmName = '', AlarmDescription = '', StateTransitionedTimestamp }) => ({
      name: AlarmName.slice(prefix.length),
      meaning: AlarmDescription,
      ...omitUndefined({ since: StateTransitionedTimestamp?.getTime() }),
    })),
  };
}
