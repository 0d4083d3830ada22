import { expect, test } from '@jest/globals';
import { type DescribeAlarms, readAlarms } from './alarms.ts';

test('a deployment’s alarms are counted, and those that fire are named with what to do', async () => {
  const asked: Parameters<DescribeAlarms>[0][] = [];
  const at = new Date(1e12);
  const alarms = await readAlarms(async (input) => {
    asked.push(input);
    return [
      { AlarmName: 'Flagwire-prod-http-5xx', StateValue: 'OK' },
      { AlarmName: 'Flagwire-prod-sync-p99', StateValue: 'INSUFFICIENT_DATA' },
      {
        AlarmName: 'Flagwire-prod-cost-rate',
        AlarmDescription: 'It costs too much. Look at the dashboard.',
        StateValue: 'ALARM',
        StateTransitionedTimestamp: at,
      },
      { AlarmName: 'Flagwire-prod-heal-errors', StateValue: 'ALARM' },
    ];
  }, 'Flagwire-prod');
  expect(asked).toEqual([{ AlarmNamePrefix: 'Flagwire-prod-', MaxRecords: 100 }]);
  expect(alarms).toEqual({
    total: 4,
    firing: [
      { name: 'cost-rate', meaning: 'It costs too much. Look at the dashboard.', since: at.getTime() },
      { name: 'heal-errors', meaning: '' },
    ],
  });
});
