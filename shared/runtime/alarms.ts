import { type CloudWatchClient, DescribeAlarmsCommand } from '@aws-sdk/client-cloudwatch';

/** A CloudWatch alarm. */
export interface Alarm {
  readonly name: string;
  readonly arn: string;
  readonly state: 'OK' | 'ALARM' | 'INSUFFICIENT_DATA';
}

/** Reads alarms by their names. Those that do not exist are missing in the result. */
export type ReadAlarms = (names: readonly string[]) => Promise<readonly Alarm[]>;

/** Maximum number of alarms of one request. */
const NAMES_LIMIT = 100;

/** Reads metric and composite alarms by their names. Those that do not exist are missing in the result. */
export async function readAlarms(client: CloudWatchClient, names: readonly string[]): Promise<Alarm[]> {
  const alarms: Alarm[] = [];
  for (let start = 0; start < names.length; start += NAMES_LIMIT) {
    const { MetricAlarms = [], CompositeAlarms = [] } = await client.send(
      new DescribeAlarmsCommand({
        AlarmNames: names.slice(start, start + NAMES_LIMIT),
        AlarmTypes: ['MetricAlarm', 'CompositeAlarm'],
        MaxRecords: NAMES_LIMIT,
      }),
    );
    for (const { AlarmName: name = '', AlarmArn: arn = '', StateValue } of [...MetricAlarms, ...CompositeAlarms]) {
      alarms.push({ name, arn, state: StateValue ?? 'INSUFFICIENT_DATA' });
    }
  }
  return alarms;
}
