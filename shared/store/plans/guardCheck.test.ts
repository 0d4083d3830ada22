import { describe, expect, test } from '@jest/globals';
import type { PlanState } from '../../plans/releasePlan.ts';
import type { ReadAlarms } from '../../runtime/alarms.ts';
import { checkFiredGuard, checkGuards } from './guardCheck.ts';

const states = { calm: 'OK', unknown: 'INSUFFICIENT_DATA', burning: 'ALARM' } as const;
const readAlarms: ReadAlarms = async (names) =>
  names.flatMap((name) => {
    const state = states[name as keyof typeof states];
    return state ? [{ name, arn: `arn:${name}`, state }] : [];
  });
const failing =
  (name: string): ReadAlarms =>
  async () => {
    throw Object.assign(new Error('arn:aws:iam::1:user/u is not authorized'), { name });
  };

describe('the guards of a new plan', () => {
  test('are alarms that are not in ALARM, each once, with the time of their watch', async () => {
    expect(await checkGuards(readAlarms, { guards: ['calm', 'unknown', 'calm'], watch: '2h' })).toEqual({
      guards: ['calm', 'unknown'],
      watchMs: 7_200_000,
    });
  });

  test('need no alarms and no permission if there are none', async () => {
    expect(await checkGuards(failing('AccessDenied'), {})).toEqual({ guards: [], watchMs: undefined });
  });

  test.each([
    [
      'none',
      'there is no CloudWatch alarm "none" in the region of the table; create it (with npm start: npm run flags -- alarm <name> OK), or name another guard',
    ],
    ['burning', 'guard "burning" is in ALARM; wait until it is OK'],
  ])('are refused: %s', async (alarm, message) => {
    const refused = checkGuards(readAlarms, { guards: ['calm', alarm] });
    await expect(refused).rejects.toMatchObject({ name: 'GuardRefused', message });
  });

  test.each(['AccessDenied', 'AccessDeniedException'])(
    'are refused with the permission that %s lacks',
    async (name) => {
      const refused = checkGuards(failing(name), { guards: ['calm'] });
      await expect(refused).rejects.toMatchObject({
        name: 'GuardRefused',
        message:
          'guards cannot be read: allow cloudwatch:DescribeAlarms for your AWS credentials (… is not authorized)',
      });
    },
  );

  test('are not known after another failure, which is passed on', async () => {
    await expect(checkGuards(failing('Throttling'), { guards: ['calm'] })).rejects.toMatchObject({
      name: 'Throttling',
    });
  });

  test('watch for a duration', async () => {
    const refused = checkGuards(readAlarms, { guards: ['calm'], watch: 'soon' });
    await expect(refused).rejects.toThrow('"soon" is not a duration; write 30s, 30m, 2h or 1d');
  });
});

test('a plan that a guard has paused is resumed only after the alarm', async () => {
  const paused = (guard?: string): PlanState => ({ kind: 'paused', at: 1, reason: '', ...(guard ? { guard } : {}) });
  const byWebhook = { ...paused('none'), isWebhook: true } as PlanState;
  for (const state of [paused('calm'), paused('unknown'), paused(), byWebhook, { kind: 'running' } as const]) {
    await checkFiredGuard(readAlarms, { state });
  }
  await expect(checkFiredGuard(readAlarms, { state: paused('burning') })).rejects.toThrow('is in ALARM');
  await expect(checkFiredGuard(readAlarms, { state: paused('none') })).rejects.toThrow('there is no CloudWatch alarm');
});
