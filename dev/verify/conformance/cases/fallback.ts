import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { sdkUser } from '../../../support/sdkModel/message.ts';
import { PollingSdk } from '../clients/pollingSdk.ts';
import type { GetTarget } from '../target.ts';
import { Workspace } from '../workspace.ts';

const SEGMENT = '556c11b2-f08a-4e10-b0b7-af8e008125b3';
/** Polls without a change: twelve minutes at the interval that the SDK has. */
const QUIET_POLLS = 25;

/** FeatBit's JavaScript client 4.3, which polls for ever once its first connection has failed. */
export function fallbackCases(target: GetTarget): void {
  describe('a client that polls since its first connection failed', () => {
    /** Refuses every connection, as API Gateway does with 429 above its limit. */
    let refusing: Server;
    let refusals: number;
    let url: string;
    beforeEach(async () => {
      refusals = 0;
      refusing = createServer().on('upgrade', (_request, socket) => {
        refusals++;
        socket.on('error', () => {});
        socket.end('HTTP/1.1 429 Too Many Requests\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
      });
      await once(refusing.listen(0, '127.0.0.1'), 'listening');
      url = `ws://127.0.0.1:${(refusing.address() as AddressInfo).port}`;
    });
    afterEach(() => void refusing.close());

    test('has its user’s flags, then an empty answer to each poll, and never connects again', async () => {
      const workspace = await Workspace.create(target());
      const client = await PollingSdk.start(workspace, sdkUser('false-1'), url);
      expect(client.polls).toEqual([{ timestamp: 0, status: 200, event: 'full', flags: 5 }]);
      expect(client.value('returns-true')).toBe('true');
      expect(client.value('individual-targeting')).toBe('false');
      for (let n = 0; n < QUIET_POLLS; n++) {
        expect(await client.poll()).toMatchObject({ status: 200, event: 'empty' });
      }
      expect(client.value('returns-true')).toBe('true');
      expect([client.connects, refusals]).toEqual([1, 1]);
    });

    test('has each change at its next poll: one as a patch, several as all flags, each once', async () => {
      const workspace = await Workspace.create(target());
      const client = await PollingSdk.start(workspace, sdkUser('x', { age: '25' }), url);
      await workspace.toggle('returns-true');
      expect(await client.poll()).toMatchObject({ event: 'patch', flags: 1 });
      expect(client.value('returns-true')).toBe('false');
      expect((await client.poll()).event).toBe('empty');

      expect(client.value('custom-rule-with-segment')).toBe('false');
      await workspace.segment(SEGMENT, { excluded: ['x'] });
      expect(await client.poll()).toMatchObject({ event: 'patch', flags: 1 });
      expect(client.value('custom-rule-with-segment')).toBe('true');

      await workspace.toggle('returns-true');
      await workspace.flag('brand-new', {});
      expect(await client.poll()).toMatchObject({ event: 'full', flags: 6 });
      expect([client.value('returns-true'), client.value('brand-new')]).toEqual(['true', 'true']);
      await workspace.flag('brand-new', { isArchived: true });
      await client.poll();
      expect(client.value('brand-new')).toBeUndefined();
      expect((await client.poll()).event).toBe('empty');
      expect(client.polls.map(({ status }) => status)).toEqual(Array(client.polls.length).fill(200));
    });

    test('continues as another user, and as the first again with what changed since', async () => {
      const workspace = await Workspace.create(target());
      const client = await PollingSdk.start(workspace, sdkUser('false-1'), url);
      const other = sdkUser('true-1');
      expect(await client.identify(other)).toMatchObject({ timestamp: 0, event: 'full', flags: 5 });
      expect(client.value('individual-targeting')).toBe('true');
      await workspace.toggle('returns-true');
      expect(await client.poll()).toMatchObject({ event: 'patch', flags: 1 });
      expect(await client.identify(sdkUser('false-1'))).toMatchObject({ event: 'patch', flags: 1 });
      expect([client.value('returns-true'), client.value('individual-targeting')]).toEqual(['false', 'false']);
      expect((await client.identify(other)).event).toBe('empty');
      expect(client.value('individual-targeting')).toBe('true');
    });

    test('loses no change while flags are edited', async () => {
      const workspace = await Workspace.create(target());
      const client = await PollingSdk.start(workspace, sdkUser('u1'), url);
      const edits = (async () => {
        for (let n = 0; n < 20; n++) await workspace.toggle(n % 2 === 0 ? 'returns-true' : 'two-custom-rules');
        await workspace.flag('last', {});
      })();
      let isEdited = false;
      void edits.then(() => {
        isEdited = true;
      });
      while (!isEdited) await client.poll();
      await edits;
      await client.poll();
      const fresh = await PollingSdk.start(workspace, sdkUser('u1'), url);
      for (const key of ['returns-true', 'two-custom-rules', 'last']) {
        expect([key, client.value(key)]).toEqual([key, fresh.value(key)]);
      }
      expect((await client.poll()).event).toBe('empty');
    });

    test('stops for good when its key is unknown', async () => {
      const workspace = await Workspace.create(target());
      const access = {
        target: target(),
        clientKey: `${'A'.repeat(22)}${workspace.clientKey.slice(22)}`,
        token: () => workspace.token('client'),
      };
      const client = await PollingSdk.start(access, sdkUser('u1'), url);
      expect(client.polls).toMatchObject([{ status: 403, event: 'failed' }]);
      await expect(client.poll()).rejects.toThrow('has stopped polling');
    });
  });
}
