import { describe, expect, test } from '@jest/globals';
import { useTables } from '../../shared/store/testing/testStore.ts';
import { testEffects } from '../../shared/store/testing/testTables.ts';
import { aConsole } from '../testing/console.ts';

useTables();

function asking(options: Parameters<typeof aConsole>[0] = {}) {
  const effects = testEffects();
  const console = aConsole({ effects, ...options });
  return { effects, ask: async () => (await console.call('GET attention')).json };
}

describe('the attention of a deployment', () => {
  test('has no alarms without CloudWatch', async () => {
    const { ask, effects } = asking();
    expect(await ask()).toEqual({ at: effects.now(), alarms: { kind: 'absent' } });
  });

  test('is read again after some seconds, and not before', async () => {
    let reads = 0;
    const { ask, effects } = asking({ readAlarms: async () => ({ total: ++reads, firing: [] }) });
    const [first, second] = await Promise.all([ask(), ask()]);
    expect([first.alarms, second.alarms]).toEqual(Array(2).fill({ kind: 'read', value: { total: 1, firing: [] } }));
    effects.clock.now += 5_000;
    expect((await ask()).alarms.value.total).toBe(2);
  });

  test('says why alarms cannot be read, without the account', async () => {
    const refused = new Error(
      'User: u is not authorized to perform: cloudwatch:DescribeAlarms on resource: ' +
        'arn:aws:cloudwatch:eu-west-1:123456789012:alarm:* because no policy allows it',
    );
    const { ask } = asking({
      readAlarms: () => Promise.reject(Object.assign(refused, { name: 'AccessDeniedException' })),
    });
    expect((await ask()).alarms).toEqual({
      kind: 'unread',
      reason: expect.stringContaining('do not allow cloudwatch:DescribeAlarms on …; ask'),
    });
  });
});
