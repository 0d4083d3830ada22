import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { aFlag, aSegment } from '../../../shared/testing/builders.ts';
import { until } from '../../../shared/testing/until.ts';
import { type EmulatedStack, startStack } from './emulated.ts';

jest.setTimeout(60_000);

let stack: EmulatedStack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack.close());

const eventsOf = (envId: string) =>
  stack.events
    .map(({ event }) => event)
    .filter(({ detail }) => (detail['environment'] as { readonly id: string }).id === envId);

test('each change of a flag or segment is an event on the default bus, in the order of versions', async () => {
  const { environments, documents, history } = stack.store;
  const { environment } = await environments.create('events');
  const envId = environment.id;
  await documents.writeSegment(envId, 's', () => aSegment({ id: 's', name: 'Staff' }));
  const [created] = await documents.writeFlag(envId, 'f', () => aFlag({ key: 'f', isEnabled: false }));
  const [switched] = await documents.writeFlag(envId, 'f', (flag) => ({ ...(flag ?? aFlag()), isEnabled: true }));
  await history.undo(envId, switched?.updatedAt ?? 0);

  await until(() => eventsOf(envId).length >= 4);
  expect(eventsOf(envId)).toMatchObject([
    {
      source: 'flagwire',
      'detail-type': 'Segment Changed',
      detail: { key: 's', action: 'created', environment: { name: 'events', isProduction: false } },
    },
    {
      'detail-type': 'Flag Changed',
      detail: { kind: 'flag', key: 'f', action: 'created', previousVersion: null, before: null },
    },
    {
      detail: {
        action: 'turned on',
        previousVersion: new Date(created?.updatedAt ?? 0).toISOString(),
        version: new Date(switched?.updatedAt ?? 0).toISOString(),
        undo: `flags undo ${new Date(switched?.updatedAt ?? 0).toISOString()} --env events`,
        before: { isEnabled: false },
        after: { isEnabled: true },
      },
    },
    { detail: { action: 'turned off', summary: 'Switch: on → off' } },
  ]);
});

test('the right to announce is used, and suffices', () => {
  const unused = stack.unusedGrants().filter((grant) => grant.includes('Announce'));
  expect(unused.filter((grant) => /dynamodb:GetItem|PutEvents/.test(grant))).toEqual([]);
});
