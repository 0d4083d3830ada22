import { describe, expect, jest, test } from '@jest/globals';
import { readConfig } from '../../config/config.ts';
import { onlyResourceOf, resourcesOf, templateWith } from '../../stacks/testing/templates.ts';

// Synthesis takes a second alone, and many on a busy machine.
jest.setTimeout(60_000);

const settings = { stage: 'prod', monthlyBudget: 50, alarmEmail: 'ops@example.com' };
const template = () => templateWith('Serverless', settings);

describe('a monthly budget', () => {
  test('is one for what has the deployment’s tags, and tells whoever gets alarms', () => {
    const { properties } = onlyResourceOf(template(), 'AWS::Budgets::Budget');
    expect(properties['Budget']).toMatchObject({
      BudgetLimit: { Amount: 50, Unit: 'USD' },
      TimeUnit: 'MONTHLY',
      FilterExpression: {
        And: [{ Tags: { Key: 'app', Values: ['flagwire'] } }, { Tags: { Key: 'stage', Values: ['prod'] } }],
      },
    });
    const notifications = properties['NotificationsWithSubscribers'] as {
      Notification: { NotificationType: string; Threshold: number };
      Subscribers: { Address: string }[];
    }[];
    expect(notifications.map(({ Notification }) => [Notification.NotificationType, Notification.Threshold])).toEqual([
      ['ACTUAL', 80],
      ['ACTUAL', 100],
      ['FORECASTED', 100],
    ]);
    expect(new Set(notifications.flatMap(({ Subscribers }) => Subscribers.map(({ Address }) => Address)))).toEqual(
      new Set(['ops@example.com']),
    );
  });

  test('has no name of its own: whoever is told can change only by another budget, which would meet the name', () => {
    const { properties } = onlyResourceOf(template(), 'AWS::Budgets::Budget');
    expect(properties['Budget']).not.toHaveProperty('BudgetName');
  });

  test('is refused, with the way out, where CloudFormation has no budgets', () => {
    const inStockholm = { ...settings, region: 'eu-north-1' };
    expect(() => readConfig(inStockholm)).toThrow(
      'monthlyBudget=50 cannot be used in eu-north-1, where CloudFormation has no AWS::Budgets::Budget: ' +
        'leave it out, and make a budget for the tags app=flagwire and stage=prod in the Billing console.',
    );
    expect(readConfig({ ...settings, region: 'eu-west-1' })).toMatchObject({ monthlyBudget: 50 });
  });

  test('is also an alarm on the rate, of no more metrics than an alarm may have', () => {
    const alarm = resourcesOf(template(), 'AWS::CloudWatch::Alarm').find(
      ({ properties }) => properties['AlarmName'] === 'Flagwire-prod-cost-rate',
    );
    // What is left of $50 a month beside 19 alarms, this one of seven metrics, two dashboards and five metrics, by the hour.
    expect(alarm?.properties['Threshold']).toBeCloseTo((50 - 1.9 - 0.7 - 2 * 3 - 1.5) / 730, 9);
    const metrics = alarm?.properties['Metrics'] as {
      MetricStat?: object;
      Expression?: string;
      ReturnData?: boolean;
    }[];
    expect(metrics.filter(({ MetricStat }) => MetricStat).length).toBeLessThanOrEqual(10);
    expect(metrics.filter(({ Expression }) => Expression).length).toBeLessThanOrEqual(10);
    expect(metrics.filter(({ ReturnData }) => ReturnData !== false)).toHaveLength(1);
    expect(alarm?.properties['AlarmActions']).toHaveLength(1);
  });

  test('leaves a lean deployment all but the alarm’s own metrics: the rest of what stands is free', () => {
    const lean = templateWith('Serverless', { ...settings, lean: true, monthlyBudget: 5 });
    const alarm = resourcesOf(lean, 'AWS::CloudWatch::Alarm').find(
      ({ properties }) => properties['AlarmName'] === 'Flagwire-prod-cost-rate',
    );
    expect(alarm?.properties['Threshold']).toBeCloseTo((5 - 0.7) / 730, 9);
  });

  test('is none unless it is asked for, and needs somebody to tell', () => {
    expect(resourcesOf(templateWith('Serverless', { stage: 'prod' }), 'AWS::Budgets::Budget')).toEqual([]);
    expect(() => readConfig({ monthlyBudget: 50 })).toThrow('set alarmEmail');
    expect(() => readConfig({ ...settings, monthlyBudget: -1 })).toThrow('monthlyBudget=-1');
  });
});
