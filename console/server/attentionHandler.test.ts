import { describe, expect, test } from '@jest/globals';
import { connect } from '../../shared/store/testing/connect.ts';
import { useTables } from '../../shared/store/testing/testStore.ts';
import { testEffects } from '../../shared/store/testing/testTables.ts';
import { aConsole } from '../testing/console.ts';
import { attentionHandler } from './attentionHandler.ts';

useTables();

let count = 0;
async function anEnvironment(options: Parameters<typeof aConsole>[0] = {}) {
  const effects = testEffects();
  const console = aConsole({ effects, ...options });
  const { environment } = await console.store.environments.create(`shop ${++count}`);
  const { id } = environment;
  return { console, effects, id, ask: async () => (await console.call(`GET environments/${id}/attention`)).json };
}

const nothing = { unanswered: 0, behind: 0, isAtLeast: false };

describe('the attention of an environment', () => {
  test('counts nothing if all is well, and has no alarms without CloudWatch', async () => {
    const { ask, effects } = await anEnvironment();
    expect(await ask()).toEqual({
      at: effects.now(),
      connections: { kind: 'read', value: nothing },
      alarms: { kind: 'absent' },
    });
  });

  test('counts connections that wait for an answer too long or lack a change', async () => {
    const { console, id, effects, ask } = await anEnvironment();
    const { connections } = console.store;
    const context = { envId: id, type: 'server' };
    const now = effects.now();
    await connections.unanswered.note({ id: `${id} late`, since: now - 90_001, context });
    await connections.unanswered.note({ id: `${id} soon`, since: now - 89_999, context });
    const behind = await connect(connections, id, { id: `${id} behind`, type: 'server', requestedAt: now }, 7);
    await connections.states.markBehind(id, behind, 7, 'unreachable');
    expect((await ask()).connections).toEqual({ kind: 'read', value: { ...nothing, unanswered: 1, behind: 1 } });
  });

  test('is read again after some seconds, and not before', async () => {
    let reads = 0;
    const readAlarms = async () => ({ total: ++reads, firing: [] });
    const { ask, effects } = await anEnvironment({ readAlarms });
    const [first, second] = await Promise.all([ask(), ask()]);
    expect([first.alarms, second.alarms]).toEqual(Array(2).fill({ kind: 'read', value: { total: 1, firing: [] } }));
    effects.clock.now += 5_000;
    expect((await ask()).alarms.value.total).toBe(2);
  });

  test('is read by each source for itself: one that may not be read is named', async () => {
    const refused = (action: string) =>
      Object.assign(new Error(`User: u is not authorized to perform: ${action} because no policy allows it`), {
        name: 'AccessDeniedException',
      });
    const { ask } = await anEnvironment({
      readAlarms: () => Promise.reject(refused('cloudwatch:DescribeAlarms')),
      intercept: ({ name, input }, send) =>
        name === 'Query' && input.TableName.startsWith('Connections')
          ? Promise.reject(refused('dynamodb:Query'))
          : send(),
    });
    const { connections, alarms } = await ask();
    expect(connections).toEqual({ kind: 'unread', reason: expect.stringContaining('do not allow dynamodb:Query') });
    expect(alarms).toEqual({
      kind: 'unread',
      reason: expect.stringContaining('do not allow cloudwatch:DescribeAlarms'),
    });
  });

  test.each([
    ['aws', { kind: 'unread', reason: expect.stringContaining('--connections') }],
    ['local', { kind: 'absent' }],
  ] as const)('says on %s what is missing where the table of connections is not known', async (mode, expected) => {
    const { console, id } = await anEnvironment();
    const { environments, effects, tables } = console.store;
    const { client, flags } = tables;
    const context = { version: '1', mode, table: flags, region: 'eu-west-1' };
    const handler = attentionHandler({ environments, effects }, { tables: { client, flags }, context });
    const asked = { env: id, secret: '', plan: '', body: undefined, query: undefined };
    expect((await handler(asked)).connections).toEqual(expected);
  });

  test('is not found if the environment does not exist', async () => {
    const { console } = await anEnvironment();
    expect((await console.call('GET environments/no-such/attention')).status).toBe(404);
  });
});
