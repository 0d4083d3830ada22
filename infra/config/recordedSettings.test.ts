import { expect, test } from '@jest/globals';
import { parseSettings } from './config.ts';
import { droppedSettings, readRecordedSettings, settingsMetadata } from './recordedSettings.ts';

const domain = {
  name: 'flags.example.com',
  certificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/0a1b2c3d',
};
const drop = (before: Readonly<Record<string, unknown>>, now: Readonly<Record<string, unknown>>) =>
  droppedSettings(before, now, parseSettings({ stage: 'prod', ...now }));

test('reads recorded settings', () => {
  const set = { stage: 'prod', domain };
  const metadata = JSON.stringify(settingsMetadata(set, parseSettings(set)));
  expect(readRecordedSettings(metadata)).toMatchObject({ set, effective: { stage: 'prod', name: 'Flagwire', domain } });
  expect(readRecordedSettings(undefined)).toBeUndefined();
  expect(readRecordedSettings('{"other":1}')).toBeUndefined();
});

test.each([
  [{ domain }, {}, ['domain.name', 'domain.certificateArn']],
  [{ alarmEmail: 'ops@example.com' }, {}, ['alarmEmail']],
  [{ tags: { team: 'web' } }, { tags: {} }, ['tags.team']],
  [{ throttlingRate: 70 }, {}, ['throttlingRate']],
  [{ tracing: true }, { tracing: false }, ['tracing']],
  [{ host: true, fargate: { count: 3 } }, { host: false }, ['host', 'fargate.count']],
  [{ host: { metricsSeconds: 1 } }, { host: true }, ['host.metricsSeconds']],
  [{ host: {} }, {}, ['host']],
  [{ tags: { 'cost.center': '7' } }, {}, ['tags.cost.center']],
])('%j, then %j drops %j', (before, now, keys) => {
  expect(drop(before, now).map(({ key }) => key)).toEqual(keys);
});

test.each([
  [{ stage: 'prod' }, {}],
  [{ domain }, { domain, lean: true }],
  [{ throttlingRate: 70 }, { throttlingRate: 90 }],
  [{ tracing: false }, {}],
  [{ host: true }, { host: { credits: 'unlimited' } }],
  [{ host: false }, { host: false }],
  [{ host: false }, {}],
  [{ tags: { 'cost.center': '7' } }, { tags: { 'cost.center': '7' } }],
  [{ host: { metricsSeconds: 60 } }, { host: true }],
])('%j, then %j drops nothing', (before, now) => {
  expect(drop(before, now)).toEqual([]);
});

test('tells what was and what would be', () => {
  expect(drop({ tracing: true }, {})).toEqual([{ key: 'tracing', before: true, after: false, isGroupGone: false }]);
});
