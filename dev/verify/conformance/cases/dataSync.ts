import { describe, expect, test } from '@jest/globals';
import { aRollout, share } from '../../../../shared/testing/builders.ts';
import expected from '../../../../shared/testing/data/expected-client-full-sync.json' with { type: 'json' };
import type { Received } from '../../../support/rawSocket.ts';
import type { GetTarget } from '../target.ts';
import { flagDocuments, simpleFlag, Workspace } from '../workspace.ts';
import { openSocket } from './untilEnd.ts';

/** Between `two-custom-rules` and `custom-rule-with-segment`, after both segments. */
const BEFORE_LAST = 1674885400000;

/** FeatBit's data-sync cases on its benchmark data, and the rule that answers cursors. */
export function dataSyncCases(target: GetTarget): void {
  describe('data-sync', () => {
    test('twelve users receive what FeatBit would send them', async () => {
      const workspace = await Workspace.create(target());
      const socket = await openSocket(workspace.url('client'));
      for (const { user, response } of expected) {
        expect(await socket.sync({ timestamp: 0, user })).toEqual(response);
      }
    });

    test('a message in two frames is one message', async () => {
      const workspace = await Workspace.create(target());
      const [first] = expected;
      const client = await openSocket(workspace.url('client'));
      client.sendInTwo({ messageType: 'data-sync', data: { timestamp: 0, user: first?.user } });
      expect(await client.next()).toEqual(first?.response);
      const server = await openSocket(workspace.url('server'));
      server.sendInTwo({ messageType: 'data-sync', data: { timestamp: 0 } });
      expect((await server.next()).data.featureFlags).toHaveLength(5);
    });

    test('a server receives all documents, with every field SDKs insist on and three fraction digits', async () => {
      const workspace = await Workspace.create(target());
      const socket = await openSocket(workspace.url('server'));
      const { messageType, data } = await socket.sync({ timestamp: 0 });
      expect([messageType, data.eventType]).toEqual(['data-sync', 'full']);
      expect(keysOf(data)).toEqual([
        'returns-true',
        'return-10p-true',
        'individual-targeting',
        'two-custom-rules',
        'custom-rule-with-segment',
      ]);
      for (const item of [...data.featureFlags, ...data.segments]) {
        expect(item).toMatchObject({ envId: workspace.envId, isArchived: false });
        expect(item.updatedAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      }
    });

    test.each([
      ['no cursor', undefined, 'full', 5],
      ['nothing newer', 1674885485421, 'patch', 0],
      ['exactly one newer', BEFORE_LAST, 'patch', 1],
      ['several newer', 1674874000000, 'full', 5],
      ['a cursor of before everything', -5, 'full', 5],
      ['a cursor from the future', 4102444800000, 'full', 5],
      ['a fraction', 1.5, 'full', 5],
    ] as const)('%s', async (_name, timestamp, eventType, flags) => {
      const workspace = await Workspace.create(target());
      for (const [type, user] of [
        ['client', { keyId: 'u1' }],
        ['server', undefined],
      ] as const) {
        const socket = await openSocket(workspace.url(type));
        const { data } = await socket.sync({ timestamp, user });
        expect([data.eventType, data.featureFlags.length]).toEqual([eventType, flags]);
        if (flags === 1)
          expect(data.featureFlags[0].id).toBe(
            type === 'client' ? 'custom-rule-with-segment' : '78958cb8-80e2-43c7-85a1-af980060e036',
          );
        if (type === 'server') expect(data.segments).toHaveLength(flags === 5 ? 2 : 0);
      }
    });

    test('a write that was acknowledged is in every sync that starts after it', async () => {
      const workspace = await Workspace.create(target());
      await openSocket(workspace.url('server'));
      for (let round = 0; round < 10; round++) {
        const [written] = await workspace.toggle('returns-true');
        const probe = await openSocket(workspace.url('server'));
        const { data } = await probe.sync({ timestamp: 0 });
        const flag = data.featureFlags.find((item: { key: string }) => item.key === 'returns-true');
        expect(Date.parse(flag.updatedAt)).toBe(written?.updatedAt);
      }
    });

    test('a broken condition changes no other flag, and stops no answer or push', async () => {
      const conditions = [{ property: 'keyId', op: 'NotMatchRegex', value: '(' }];
      const rules = [{ id: 'r', name: 'a rule', conditions, ...aRollout(share('broken-false')) }];
      const documents = flagDocuments(simpleFlag('broken', { rules }), simpleFlag('good'));
      const workspace = await Workspace.create(target(), documents);
      const socket = await openSocket(workspace.url('client'));
      const { data } = await socket.sync({ timestamp: 0, user: { keyId: 'u1' } });
      expect(data.featureFlags).toMatchObject([
        { id: 'broken', variation: 'true', matchReason: 'default' },
        { id: 'good', variation: 'true' },
      ]);
      await workspace.toggle('good');
      expect((await socket.next()).data.featureFlags).toMatchObject([{ id: 'good', variation: 'false' }]);
    });

    test('environments never see each other', async () => {
      const mine = await Workspace.create(target(), [{ kind: 'flag', document: simpleFlag('mine') }]);
      const theirs = await Workspace.create(target(), [{ kind: 'flag', document: simpleFlag('theirs') }]);
      const socket = await openSocket(mine.url('server'));
      expect(keysOf((await socket.sync({ timestamp: 0 })).data)).toEqual(['mine']);
      await theirs.toggle('theirs');
      await mine.toggle('mine');
      expect(keysOf((await socket.next()).data)).toEqual(['mine']);
      await socket.expectSilence();
    });
  });
}

function keysOf(data: Received['data']): string[] {
  return data.featureFlags.map((flag: { key: string }) => flag.key);
}
