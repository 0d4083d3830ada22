import { expect, test } from '@jest/globals';
import { functionWithEntry, onlyResourceOf, templateOf, textOf } from '../../stacks/testing/templates.ts';

const template = templateOf('Serverless');

test('connections that were not answered are looked for every minute', () => {
  const { properties } = onlyResourceOf(template, 'AWS::Events::Rule');
  expect(properties).toMatchObject({ ScheduleExpression: 'rate(1 minute)', State: 'ENABLED' });
  const [target] = properties['Targets'] as { Arn: unknown }[];
  expect(textOf(target?.Arn)).toBe('{HealingHealHandler.Arn}');
});

test('a call that Lambda turned away, or that failed, is given up when the next is due', () => {
  const { properties } = onlyResourceOf(template, 'AWS::Lambda::EventInvokeConfig');
  expect(properties).toMatchObject({ MaximumEventAgeInSeconds: 60, MaximumRetryAttempts: 0 });
  expect(functionWithEntry(template, 'functions/lambda/heal.ts').properties['Timeout']).toBe(60);
});
