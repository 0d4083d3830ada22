import { expect, jest, test } from '@jest/globals';
import { resourcesOf, templateWith } from '../../infra/stacks/testing/templates.ts';
import { ALARMS, type DescribeAlarms, readAlarms } from './alarms.ts';

// Synthesis takes a second alone, and many on a busy machine.
jest.setTimeout(60_000);

test('counts the alarms of a deployment, and names those that fire with what to do', async () => {
  const asked: Parameters<DescribeAlarms>[0][] = [];
  const at = new Date(1e12);
  const alarms = await readAlarms(
    async (input) => {
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
    },
    'Flagwire-prod',
    'eu-west-1',
  );
  expect(asked).toEqual([{ AlarmNames: ALARMS.map((name) => `Flagwire-prod-${name}`), MaxRecords: 100 }]);
  const page = 'https://eu-west-1.console.aws.amazon.com/cloudwatch/home?region=eu-west-1#alarmsV2:alarm/';
  expect(alarms).toEqual({
    total: 4,
    firing: [
      {
        name: 'cost-rate',
        meaning: 'It costs too much. Look at the dashboard.',
        url: `${page}Flagwire-prod-cost-rate`,
        since: at.getTime(),
      },
      { name: 'heal-errors', meaning: '', url: `${page}Flagwire-prod-heal-errors` },
    ],
  });
});

test('asks for all alarms by name, because alarms of prod-eu begin like those of prod', () => {
  const prod = { stage: 'prod', monthlyBudget: 50, alarmEmail: 'ops@example.com' };
  const templates = [
    templateWith('Serverless', prod),
    templateWith('Fargate', { ...prod, fargate: { allowInsecure: true } }),
  ];
  const names = templates.flatMap((template) =>
    resourcesOf(template, 'AWS::CloudWatch::Alarm').map(({ properties }) => properties['AlarmName']),
  );
  expect(names.toSorted()).toEqual(ALARMS.map((name) => `Flagwire-prod-${name}`));
});
