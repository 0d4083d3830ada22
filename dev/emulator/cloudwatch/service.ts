import { randomUUID } from 'node:crypto';
import type { Clock } from '../clock.ts';
import { AwsError } from '../endpoint/awsError.ts';
import type { AwsJsonService } from '../endpoint/awsJson.ts';
import type { BusEvent } from '../eventbridge/service.ts';
import { arn, localAccount, localRegion } from '../template/account.ts';

const STATES = ['OK', 'ALARM', 'INSUFFICIENT_DATA'];
/** Maximum number of alarms. */
const ALARM_LIMIT = 1_000;

interface Alarm {
  state: string;
  readonly tags: Map<string, string>;
}

interface Tag {
  readonly Key: string;
  readonly Value: string;
}

/** CloudWatch's API for alarms, and the tagging API for these. */
export interface CloudWatch {
  readonly services: readonly AwsJsonService[];
}

/**
 * Plays alarms. Unlike CloudWatch, they have no metrics: `SetAlarmState` creates an alarm, and its state stays.
 *
 * @param onChange receives the event of each change of state, as the default event bus does
 */
export function createCloudWatch({
  clock,
  onChange,
}: {
  readonly clock: Clock;
  readonly onChange: (event: BusEvent['event']) => void;
}): CloudWatch {
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
    const time = new Date(clock.now()).toISOString();
    onChange({
      version: '0',
      id: randomUUID(),
      'detail-type': 'CloudWatch Alarm State Change',
      source: 'aws.cloudwatch',
      account: localAccount,
      time: `${time.slice(0, 19)}Z`,
      region: localRegion,
      resources: [arnOf(name)],
      detail: {
        alarmName: name,
        state: { value: state, reason, timestamp: time },
        previousState: { value: previous },
      },
    });
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
  return { services: [monitoring, tagging] };
}
