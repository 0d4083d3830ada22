import { CloudWatchClient, SetAlarmStateCommand, TagResourceCommand } from '@aws-sdk/client-cloudwatch';
import { ResourceGroupsTaggingAPIClient } from '@aws-sdk/client-resource-groups-tagging-api';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { systemClock } from '../../dev/emulator/clock.ts';
import { createCloudWatch } from '../../dev/emulator/cloudwatch/service.ts';
import { clientOptions, startServices } from '../../dev/emulator/testing/services.ts';
import { readAlarms } from '../../shared/runtime/alarms.ts';
import { readTaggedAlarms, readTargets } from './taggedAlarms.ts';

let services: Awaited<ReturnType<typeof startServices>>;
beforeAll(async () => {
  services = await startServices(...createCloudWatch({ clock: systemClock, onChange: () => undefined }));
});
afterAll(() => services.close());

test('the tags of an alarm name the flags that it guards', async () => {
  const client = new CloudWatchClient(clientOptions(services.url));
  for (const AlarmName of ['errors: shop', 'other']) {
    await client.send(new SetAlarmStateCommand({ AlarmName, StateValue: 'OK', StateReason: 'test' }));
  }
  const alarms = await readAlarms(client, ['errors: shop', 'other', 'none']);
  expect(alarms).toMatchObject([
    { name: 'errors: shop', state: 'OK' },
    { name: 'other', state: 'OK' },
  ]);
  const [{ arn: ResourceARN }, other] = alarms as [(typeof alarms)[0], (typeof alarms)[0]];
  const Tags = [{ Key: 'flagwire:guard', Value: ' production/f  staging/a/b ' }];
  await client.send(new TagResourceCommand({ ResourceARN, Tags }));
  const targets = ['production/f', 'staging/a/b'];
  expect(await readTargets(client, ResourceARN)).toEqual(targets);
  expect(await readTargets(client, other.arn)).toEqual([]);
  const tagging = new ResourceGroupsTaggingAPIClient(clientOptions(services.url));
  expect(await readTaggedAlarms(tagging)).toEqual([{ name: 'errors: shop', targets }]);
});
