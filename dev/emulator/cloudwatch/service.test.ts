import {
  CloudWatchClient,
  DescribeAlarmsCommand,
  GetMetricDataCommand,
  ListTagsForResourceCommand,
  SetAlarmStateCommand,
  TagResourceCommand,
} from '@aws-sdk/client-cloudwatch';
import { GetResourcesCommand, ResourceGroupsTaggingAPIClient } from '@aws-sdk/client-resource-groups-tagging-api';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { systemClock } from '../clock.ts';
import type { BusEvent } from '../eventbridge/service.ts';
import { clientOptions, startServices } from '../testing/services.ts';
import { createCloudWatch } from './service.ts';

let services: Awaited<ReturnType<typeof startServices>>;
let client: CloudWatchClient;
let tagging: ResourceGroupsTaggingAPIClient;
let events: BusEvent['event'][] = [];
beforeAll(async () => {
  const cloudWatch = createCloudWatch({
    clock: systemClock,
    onChange: (event) => events.push(event),
    readMetric: (name, statistic) => (name === 'syncs' && statistic === 'Sum' ? [3] : []),
  });
  services = await startServices(...cloudWatch);
  client = new CloudWatchClient(clientOptions(services.url));
  tagging = new ResourceGroupsTaggingAPIClient(clientOptions(services.url));
});
afterAll(async () => {
  client.destroy();
  tagging.destroy();
  await services.close();
});
beforeEach(() => {
  events = [];
});

const ARN = 'arn:aws:cloudwatch:us-east-1:000000000000:alarm:errors';
const set = (AlarmName: string, StateValue: 'OK' | 'ALARM') =>
  client.send(new SetAlarmStateCommand({ AlarmName, StateValue, StateReason: 'test' }));

test('an alarm has a state and tags, and each change of its state is an event', async () => {
  await set('errors', 'OK');
  await set('errors', 'ALARM');
  await set('errors', 'ALARM');
  expect(events).toMatchObject([
    { detail: { alarmName: 'errors', state: { value: 'OK' }, previousState: { value: 'INSUFFICIENT_DATA' } } },
    {
      source: 'aws.cloudwatch',
      'detail-type': 'CloudWatch Alarm State Change',
      resources: [ARN],
      detail: { state: { value: 'ALARM' }, previousState: { value: 'OK' } },
    },
  ]);
  const { MetricAlarms } = await client.send(new DescribeAlarmsCommand({ AlarmNames: ['errors', 'none'] }));
  expect(MetricAlarms).toMatchObject([{ AlarmName: 'errors', AlarmArn: ARN, StateValue: 'ALARM' }]);

  const tag = { Key: 'flagwire:guard', Value: 'shop/f' };
  await client.send(new TagResourceCommand({ ResourceARN: ARN, Tags: [tag] }));
  expect((await client.send(new ListTagsForResourceCommand({ ResourceARN: ARN }))).Tags).toEqual([tag]);
  const found = await tagging.send(new GetResourcesCommand({ TagFilters: [{ Key: 'flagwire:guard' }] }));
  expect(found.ResourceTagMappingList).toEqual([{ ResourceARN: ARN, Tags: [tag] }]);
});

test('answers with the values of a metric, and with none of an unknown one', async () => {
  const query = (Id: string, Stat: string) => {
    const Metric = { Namespace: 'Shop', MetricName: 'syncs' };
    return { Id, MetricStat: { Metric, Period: 60, Stat } };
  };
  const MetricDataQueries = [query('a', 'Sum'), query('b', 'p95')];
  const [StartTime, EndTime] = [new Date(0), new Date()];
  const { MetricDataResults } = await client.send(new GetMetricDataCommand({ MetricDataQueries, StartTime, EndTime }));
  expect(MetricDataResults).toMatchObject([
    { Id: 'a', Values: [3] },
    { Id: 'b', Values: [] },
  ]);
});

test('refuses an unknown state, and tags of an alarm that does not exist', async () => {
  await expect(set('errors', 'WARNING' as 'OK')).rejects.toThrow('StateValue must be one of');
  const missing = client.send(new ListTagsForResourceCommand({ ResourceARN: `${ARN}-none` }));
  await expect(missing).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
});
