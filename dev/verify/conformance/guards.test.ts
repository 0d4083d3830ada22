import { CloudWatchClient, SetAlarmStateCommand, TagResourceCommand } from '@aws-sdk/client-cloudwatch';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import type { Document } from '../../../shared/flags/document.ts';
import { aFlag } from '../../../shared/testing/builders.ts';
import { until } from '../../../shared/testing/until.ts';
import { webhookCases } from './cases/webhooks.ts';
import { type EmulatedStack, startStack } from './emulated.ts';

jest.setTimeout(60_000);

let stack: EmulatedStack;
let client: CloudWatchClient;
beforeAll(async () => {
  stack = await startStack();
  client = new CloudWatchClient({});
});
afterAll(async () => {
  client.destroy();
  await stack.close();
});

const setAlarm = (AlarmName: string, StateValue: 'OK' | 'ALARM') =>
  client.send(new SetAlarmStateCommand({ AlarmName, StateValue, StateReason: 'test' }));

test('an alarm undoes the plans that name it and those of its tag, under the rights of the function', async () => {
  const { environments, documents, plans } = stack.store;
  const { id: envId } = (await environments.create('guarded')).environment;
  await documents.writeFlag(envId, 'f', () => aFlag({ key: 'f', isEnabled: false }));
  await documents.writeFlag(envId, 'g', () => aFlag({ key: 'g', isEnabled: false }));
  await setAlarm('errors', 'OK');
  const ResourceARN = 'arn:aws:cloudwatch:us-east-1:000000000000:alarm:errors';
  await client.send(new TagResourceCommand({ ResourceARN, Tags: [{ Key: 'flagwire:guard', Value: 'guarded/g' }] }));
  const now = Date.now();
  const change = (document: Document) =>
    ({ ...document, document: { ...document.document, isEnabled: true } }) as Document;
  const rename = (document: Document) => ({ ...document, document: { ...document.document, name: 'x' } }) as Document;
  const steps = [
    { at: now, change },
    { at: now + 3_600_000, change: rename },
  ];
  await plans.create(envId, now, () => [
    { kind: 'flag', documentId: 'f', type: 'changes', steps, guards: ['errors'] },
    { kind: 'flag', documentId: 'g', type: 'changes', steps },
  ]);
  for (const { id } of await plans.list(envId)) await plans.advance(envId, id);
  expect((await plans.list(envId)).map(({ steps: [first] }) => first?.outcome.kind)).toEqual(['applied', 'applied']);

  await setAlarm('errors', 'ALARM');
  await until(async () => (await plans.list(envId)).every(({ state }) => state.kind === 'paused'));
  const after = await plans.list(envId);
  expect(after.map(({ state }) => state)).toMatchObject([{ guard: 'errors' }, { guard: 'errors' }]);
  expect(after.map(({ steps: [first] }) => first?.outcome.kind)).toEqual(['undone', 'undone']);
  const types = () => stack.events.map(({ event }) => event['detail-type']).filter((type) => type === 'Guard Fired');
  await until(() => types().length >= 2);
  expect(types()).toEqual(['Guard Fired', 'Guard Fired']);
});

webhookCases(() => stack);

test('the role of the guard allows no more than that', () => {
  const unused = stack.unusedGrants().filter((grant) => grant.includes('Guards'));
  expect(unused.filter((grant) => !/DeleteItem|logs:|HISTORY/.test(grant))).toEqual([]);
});
