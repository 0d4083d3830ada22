import { describe, expect, test } from '@jest/globals';
import type { BusEvent } from '../eventbridge/service.ts';
import { readModel } from '../template/resolve.ts';
import { registryOf } from '../testing/functions.ts';
import { attribute, fn } from '../testing/resources.ts';
import { deliverEvent, readEventRules } from './eventRules.ts';

const addresses = { gatewayUrl: '', serviceUrl: '', streamArn: () => undefined };

function rulesOf(properties: Readonly<Record<string, unknown>>) {
  const Targets = [{ Arn: attribute('Fn', 'Arn'), Id: 'Target0' }];
  const EventPattern = { source: ['aws.cloudwatch'], detail: { state: { value: ['ALARM'] } } };
  const Rule = { Type: 'AWS::Events::Rule', Properties: { EventPattern, Targets, ...properties } };
  return readEventRules(readModel({ S: { Resources: { Rule, Fn: fn('echo.ts') } } }, addresses));
}

const event = (value: string) =>
  ({ source: 'aws.cloudwatch', detail: { state: { value } } }) as unknown as BusEvent['event'];

describe('a rule with a pattern', () => {
  test('calls its function for the events of its bus that match', () => {
    const events: unknown[] = [];
    const functions = registryOf((each) => void events.push(each));
    deliverEvent({ bus: 'default', event: event('OK') }, rulesOf({}), functions);
    deliverEvent({ bus: 'other', event: event('ALARM') }, rulesOf({}), functions);
    deliverEvent({ bus: 'default', event: event('ALARM') }, rulesOf({}), functions);
    expect(events).toEqual([event('ALARM')]);
  });

  test.each([
    ['is disabled', { State: 'DISABLED' }],
    ['has a schedule instead', { EventPattern: undefined, ScheduleExpression: 'rate(1 minute)' }],
    ['has a topic as target', { Targets: [{ Arn: 'arn:aws:sns:us-east-1:000000000000:alarms', Id: 'Target0' }] }],
  ])('calls nothing if it %s', (_, properties) => {
    expect(rulesOf(properties)).toEqual([]);
  });
});
