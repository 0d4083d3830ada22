import { describe, expect, test } from '@jest/globals';
import { functionWithEntry, onlyResourceOf, resourcesOf, templateOf } from '../../stacks/testing/templates.ts';

const ENTRY = 'functions/lambda/tick.ts';

describe('the tick of plans', () => {
  const template = templateOf('Data');

  test('runs every minute, and is not retried', () => {
    const { id } = functionWithEntry(template, ENTRY);
    const rules = resourcesOf(template, 'AWS::Events::Rule').filter(
      ({ properties }) => properties['ScheduleExpression'],
    );
    expect(rules).toMatchObject([
      {
        properties: {
          ScheduleExpression: 'rate(1 minute)',
          Targets: [{ Arn: { 'Fn::GetAtt': [id, 'Arn'] } }],
        },
      },
    ]);
    expect(onlyResourceOf(template, 'AWS::Lambda::EventInvokeConfig').properties).toMatchObject({
      MaximumRetryAttempts: 0,
    });
  });

  test('has more time than it leaves to its last step', () => {
    expect(functionWithEntry(template, ENTRY).properties['Timeout']).toBe(60);
  });

  test('has an alarm on errors, which a lean deployment leaves out', () => {
    const names = (stage: string) =>
      resourcesOf(templateOf('Data', stage), 'AWS::CloudWatch::Alarm').map(({ properties }) => properties['AlarmName']);
    expect(names('prod')).toContain('Flagwire-prod-plan-errors');
    expect(names('dev')).toEqual([]);
  });
});
