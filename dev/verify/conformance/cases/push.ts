import { describe, expect, test } from '@jest/globals';
import { listVersions, type RawSocket, type Received } from '../../../support/rawSocket.ts';
import type { GetTarget } from '../target.ts';
import { flagDocuments, simpleFlag, Workspace } from '../workspace.ts';
import { openSocket } from './untilEnd.ts';

const SEGMENT_02 = '556c11b2-f08a-4e10-b0b7-af8e008125b3';

/** Every kind of change reaches every connection: once, in order, one item a patch. */
export function pushCases(target: GetTarget): void {
  describe('push', () => {
    const connected = async (workspace: Workspace) => {
      const client = await openSocket(workspace.url('client'));
      const server = await openSocket(workspace.url('server'));
      await client.sync({ timestamp: 0, user: { keyId: 'u1' } });
      await server.sync({ timestamp: 0 });
      return { client, server };
    };

    test('creating, switching, targeting, archiving and restoring a flag', async () => {
      const workspace = await Workspace.create(target());
      const { client, server } = await connected(workspace);
      const expectPush = async (variation: string | null, reason: string, document: object) => {
        const pushed = (await client.next()).data;
        expect(pushed).toMatchObject({
          eventType: 'patch',
          userKeyId: 'u1',
          featureFlags: [{ id: 'f', variation, matchReason: reason }],
        });
        const { data } = await server.next();
        expect(data).toMatchObject({ eventType: 'patch', featureFlags: [{ key: 'f', ...document }], segments: [] });
        expect(Date.parse(data.featureFlags[0].updatedAt)).toBe(pushed.featureFlags[0].timestamp);
      };
      await workspace.flag('f', {});
      await expectPush('true', 'default', { isEnabled: true });
      await workspace.toggle('f');
      await expectPush('false', 'flag disabled', { isEnabled: false });
      await workspace.toggle('f');
      await expectPush('true', 'default', { isEnabled: true });
      await workspace.flag('f', { targetUsers: [{ keyIds: ['u1'], variationId: 'f-false' }] });
      await expectPush('false', 'targeted', {});
      await workspace.flag('f', { isArchived: true });
      await expectPush(null, 'flag archived', { isArchived: true });
      await workspace.flag('f', { isArchived: false });
      await expectPush('false', 'targeted', { isArchived: false });
    });

    test('a change of a segment: servers receive it and then the flags, clients the flags alone', async () => {
      const workspace = await Workspace.create(target());
      const { client, server } = await connected(workspace);
      await workspace.segment(SEGMENT_02, { included: ['u1'] });
      const segment = (await server.next()).data;
      expect(segment).toMatchObject({
        eventType: 'patch',
        featureFlags: [],
        segments: [{ id: SEGMENT_02, included: ['u1'] }],
      });
      const flag = (await server.next()).data;
      expect(flag).toMatchObject({
        eventType: 'patch',
        featureFlags: [{ key: 'custom-rule-with-segment' }],
        segments: [],
      });
      expect(Date.parse(flag.featureFlags[0].updatedAt)).toBeGreaterThan(Date.parse(segment.segments[0].updatedAt));
      expect((await client.next()).data.featureFlags).toMatchObject([
        { id: 'custom-rule-with-segment', matchReason: 'Rule 2' },
      ]);

      await workspace.segment(SEGMENT_02, { name: 'renamed' });
      expect((await server.next()).data.segments).toMatchObject([{ name: 'renamed' }]);
      await client.expectSilence();
      await server.expectSilence();
    });

    test('who has not asked for data receives nothing', async () => {
      const workspace = await Workspace.create(target());
      const idle = await openSocket(workspace.url('client'));
      const { client } = await connected(workspace);
      await workspace.toggle('returns-true');
      await client.next();
      await expect(idle.expectSilence()).resolves.toBeUndefined();
    });
  });
}

/** Many changes in a moment, while connections come. */
export function burstCases(target: GetTarget): void {
  describe('push', () => {
    test('a burst of changes reaches everybody once and in order, also those who connect in its midst', async () => {
      const CHANGES = 60;
      const workspace = await Workspace.create(target(), flagDocuments(simpleFlag('a'), simpleFlag('b')));
      const sockets = await Promise.all(
        Array.from({ length: 8 }, (_, i) => openSocket(workspace.url(i % 2 ? 'client' : 'server'))),
      );
      const starts = await Promise.all(
        sockets.map((socket, i) => socket.sync({ timestamp: 0, ...(i % 2 ? { user: { keyId: `u${i}` } } : {}) })),
      );
      const late: { socket: RawSocket; start: Received }[] = [];
      const versions: number[] = [];
      for (let change = 0; change < CHANGES; change++) {
        for (const { updatedAt } of await workspace.toggle(change % 2 ? 'a' : 'b')) versions.push(updatedAt);
        if (change % 10 === 5) {
          const socket = await openSocket(workspace.url('server'));
          late.push({ socket, start: await socket.sync({ timestamp: 0 }) });
        }
      }
      const follow = async (socket: RawSocket, start: Received) => {
        const seen = [Math.max(...listVersions(start))];
        while (seen.at(-1) !== versions.at(-1)) {
          const [version = 0, ...more] = listVersions(await socket.next());
          expect(more).toEqual([]);
          seen.push(version);
        }
        expect(seen.slice(1)).toEqual(versions.filter((version) => version > (seen[0] as number)));
        await socket.expectSilence();
      };
      await Promise.all(sockets.map((socket, i) => follow(socket, starts[i] as Received)));
      await Promise.all(late.map(({ socket, start }) => follow(socket, start)));
    }, 180_000);
  });
}
