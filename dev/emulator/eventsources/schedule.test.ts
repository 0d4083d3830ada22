import { afterEach, describe, expect, test } from '@jest/globals';
import { readModel } from '../template/resolve.ts';
import { registryOf } from '../testing/functions.ts';
import { manualClock } from '../testing/manualClock.ts';
import { attribute, fn } from '../testing/resources.ts';
import { readSchedules, startSchedule } from './eventRules.ts';
import type { Poller } from './streamPoller.ts';

let schedule: Poller | undefined;
afterEach(() => schedule?.stop());

const addresses = { gatewayUrl: '', serviceUrl: '', streamArn: () => undefined };
const everyMinute = { ScheduleExpression: 'rate(1 minute)', State: 'ENABLED' };
const target = { Arn: attribute('Fn', 'Arn'), Id: 'Target0' };

/** The schedules of a stack with one rule. */
function schedulesOf(properties: Readonly<Record<string, unknown>>) {
  const Rule = { Type: 'AWS::Events::Rule', Properties: { ...everyMinute, Targets: [target], ...properties } };
  return readSchedules(readModel({ S: { Resources: { Rule, Fn: fn('echo.ts') } } }, addresses));
}

describe('a rule', () => {
  test('is read with its period and its functions', () => {
    const periods = ['rate(1 minute)', 'rate(5 minutes)', 'rate(1 hour)', 'rate(2 days)'].flatMap(
      (ScheduleExpression) => schedulesOf({ ScheduleExpression }).map(({ periodMs }) => periodMs / 60_000),
    );
    expect(periods).toEqual([1, 5, 60, 2_880]);
    expect(schedulesOf({})).toMatchObject([
      {
        arn: 'arn:aws:events:us-east-1:000000000000:rule/S-Rule',
        functionArns: ['arn:aws:lambda:us-east-1:000000000000:function:S-Fn'],
      },
    ]);
  });

  test('ignores a disabled rule', () => {
    expect(schedulesOf({ State: 'DISABLED' })).toEqual([]);
  });

  test.each([
    ['by a cron expression', { ScheduleExpression: 'cron(0 12 * * ? *)' }, 'S/Rule: the emulator has no rule but'],
    ['with another target', { Targets: [{ Arn: 'arn:aws:sqs:r:a:q' }] }, 'S/Rule: the emulator has no target'],
    ['with an input', { Targets: [{ ...target, Input: '{}' }] }, 'does not support a target\'s "Input"'],
  ])('%s is refused by its name', (_, properties, message) => {
    expect(() => schedulesOf(properties)).toThrow(message);
  });
});

describe('a schedule', () => {
  const rule = { arn: 'arn:rule', periodMs: 60_000, functionArns: ['arn:fn'] };

  function start(answer: () => unknown = () => undefined) {
    const clock = manualClock(Date.UTC(2026, 0, 1));
    const events: unknown[] = [];
    const functions = registryOf((event) => {
      events.push(event);
      return answer();
    });
    schedule = startSchedule(rule, { functions, clock });
    return { clock, events };
  }

  test('calls its function once a period, as EventBridge does', () => {
    const { clock, events } = start();
    clock.advance(59_999);
    expect(events).toEqual([]);
    clock.advance(1);
    expect(events).toEqual([
      {
        version: '0',
        id: expect.any(String),
        'detail-type': 'Scheduled Event',
        source: 'aws.events',
        account: '000000000000',
        time: '2026-01-01T00:01:00Z',
        region: 'us-east-1',
        resources: ['arn:rule'],
        detail: {},
      },
    ]);
    clock.advance(600_000);
    expect(events).toHaveLength(11);
  });

  test('does not wait for a call that takes long, and goes on after one that fails', async () => {
    const long = Promise.withResolvers<void>();
    const answers = [() => long.promise, () => Promise.reject(new Error('not now'))];
    const { clock, events } = start(() => answers.shift()?.());
    clock.advance(180_000);
    expect(events).toHaveLength(3);
    long.resolve();
  });

  test('calls nobody after it was stopped', async () => {
    const { clock, events } = start();
    await schedule?.stop();
    clock.advance(120_000);
    expect(events).toEqual([]);
  });
});

test('a schedule leaves out the calls that it missed while the machine slept', () => {
  let now = 0;
  const timers: { readonly at: number; readonly run: () => void }[] = [];
  const clock = {
    now: () => now,
    after(delayMs: number, run: () => void) {
      timers.push({ at: now + delayMs, run });
      return () => {};
    },
  };
  const rule = { arn: 'arn:rule', periodMs: 60_000, functionArns: ['arn:fn'] };
  schedule = startSchedule(rule, { functions: registryOf(() => undefined), clock });
  now = 600_001;
  timers[0]?.run();
  expect(timers.map(({ at }) => at)).toEqual([60_000, 660_000]);
});
