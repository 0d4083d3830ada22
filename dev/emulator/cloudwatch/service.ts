import type { Clock } from '../clock.ts';
import { AwsError } from '../endpoint/awsError.ts';
import type { AwsJsonService } from '../endpoint/awsJson.ts';
import { type BusEvent, makeEvent } from '../eventbridge/service.ts';
import { arn } from '../template/account.ts';

const STATES = ['OK', 'ALARM', 'INSUFFICIENT_DATA'];
/** Maximum number of alarms. */
const ALARM_LIMIT = 1_000;

interface Alarm {
  state: string;
  readonly tags: Map<string, string>;
}

/** A query of `GetMetricData`. The emulator answers those of single metrics. */
interface MetricQuery {
  readonly Id: string;
  readonly MetricStat: { readonly Metric: { readonly MetricName: string }; readonly Stat: string };
}

/** Reads the values of a metric. @param statistic such as `Sum` or `p95` */
export type ReadMetric = (name: string, statistic: string) => readonly number[];

interface Tag {
  readonly Key: string;
  readonly Value: string;
}

/**
 * Emulates CloudWatch's API for alarms, and the tagging API for them. Unlike on AWS, alarms have no metrics: `SetAlarmState`
 * creates an alarm and sets its state.
 *
 * @param onChange receives the event of each change of state, as the default event bus does
 * @param readMetric answers `GetMetricData`. By default, metrics have no values
 */
export function createCloudWatch({
  clock,
  onChange,
  readMetric = () => [],
}: {
  readonly clock: Clock;
  readonly onChange: (event: BusEvent['event']) => void;
  readonly readMetric?: ReadMetric | undefined;
}): readonly AwsJsonService[] {
  const alarms = new Map<string, Alarm>();
  const arnOf = (name: string) => arn('cloudwatch', `alarm:${name}`);
  const byArn = (resource: unknown): Alarm => {
    const found = [...alarms].find(([name]) => arnOf(name) === resource)?.[1];
    if (!found) throw new AwsError('ResourceNotFoundException', `Unknown ${String(resource)}`);
    return found;
  };
  const tagsOf = ({ tags }: Alarm): Tag[] => [...tags].map(([Key, Value]) => ({ Key, Value }));

  function setState(name: string, state: string, reason: string): void {
    if (!STATES.includes(state))
      throw new AwsError('ValidationError', `StateValue must be one of ${STATES.join(', ')}`);
    if (!alarms.has(name) && alarms.size >= ALARM_LIMIT) {
      throw new AwsError('LimitExceededException', `The emulator has at most ${ALARM_LIMIT} alarms`);
    }
    const alarm = alarms.get(name) ?? { state: 'INSUFFICIENT_DATA', tags: new Map<string, string>() };
    alarms.set(name, alarm);
    const previous = alarm.state;
    if (previous === state) return;
    alarm.state = state;
    const now = clock.now();
    const detail = {
      alarmName: name,
      state: { value: state, reason, timestamp: new Date(now).toISOString() },
      previousState: { value: previous },
    };
    const about = {
      'detail-type': 'CloudWatch Alarm State Change',
      source: 'aws.cloudwatch',
      resources: [arnOf(name)],
    };
    onChange(makeEvent(now, { ...about, detail }));
  }

  const monitoring: AwsJsonService = {
    target: 'GraniteServiceVersion20100801',
    contentType: 'application/x-amz-json-1.0',
    operations: {
      DescribeAlarms: ({ AlarmNames }) => ({
        CompositeAlarms: [],
        MetricAlarms: ((AlarmNames as string[] | undefined) ?? [...alarms.keys()]).flatMap((AlarmName) => {
          const alarm = alarms.get(AlarmName);
          return alarm ? [{ AlarmName, AlarmArn: arnOf(AlarmName), StateValue: alarm.state }] : [];
        }),
      }),
      GetMetricData: ({ MetricDataQueries }) => ({
        MetricDataResults: (MetricDataQueries as MetricQuery[]).map(({ Id, MetricStat: { Metric, Stat } }) => ({
          Id,
          Values: readMetric(Metric.MetricName, Stat),
        })),
      }),
      ListTagsForResource: ({ ResourceARN }) => ({ Tags: tagsOf(byArn(ResourceARN)) }),
      SetAlarmState: ({ AlarmName, StateValue, StateReason }) =>
        setState(String(AlarmName), String(StateValue), String(StateReason)),
      TagResource: ({ ResourceARN, Tags = [] }) => {
        for (const { Key, Value } of Tags as Tag[]) byArn(ResourceARN).tags.set(Key, Value);
      },
    },
    accessRequests: (operation, { ResourceARN, AlarmName }) => [
      {
        action: `cloudwatch:${operation}`,
        resource: String(ResourceARN ?? (AlarmName === undefined ? '*' : arnOf(String(AlarmName)))),
      },
    ],
  };

  const tagging: AwsJsonService = {
    target: 'ResourceGroupsTaggingAPI_20170126',
    contentType: 'application/x-amz-json-1.1',
    operations: {
      GetResources: ({ TagFilters = [] }) => ({
        PaginationToken: '',
        ResourceTagMappingList: [...alarms]
          .filter(([, { tags }]) => (TagFilters as Tag[]).every(({ Key }) => tags.has(Key)))
          .map(([name, alarm]) => ({ ResourceARN: arnOf(name), Tags: tagsOf(alarm) })),
      }),
    },
    accessRequests: (operation) => [{ action: `tag:${operation}`, resource: '*' }],
  };
  return [monitoring, tagging];
}
