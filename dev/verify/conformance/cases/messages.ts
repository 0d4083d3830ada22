import { describe, expect, test } from '@jest/globals';
import type { GetTarget } from '../target.ts';
import { Workspace } from '../workspace.ts';
import { openSocket } from './untilEnd.ts';

/** Echo, ping, and invalid messages, which get no answer and do not end the connection. */
export function messageCases(target: GetTarget): void {
  describe('messages', () => {
    const open = async (type: 'client' | 'server' = 'client') =>
      openSocket((await Workspace.create(target())).url(type));

    test.each(['"hi"', '5', 'null', '{"a":[1,2,{"b":"ü"}]}', 'true'])(
      'echo of %s comes back byte for byte',
      async (data) => {
        const socket = await open('server');
        const text = `{"messageType":"echo","data":${data}}`;
        socket.send(text);
        expect(await socket.nextText()).toBe(text);
      },
    );

    test.each(['null', '{}', '{"timestamp":0}'])('a ping with %s is answered with the constant pong', async (data) => {
      const socket = await open();
      socket.send(`{"messageType":"ping","data":${data}}`);
      expect(await socket.nextText()).toBe('{"messageType":"pong","data":{}}');
    });

    test.each(['ECHO', 'Echo'])('the type may be in any letter case: %s comes back as it was sent', async (type) => {
      const socket = await open('server');
      const text = `{"messageType":"${type}","data":1}`;
      socket.send(text);
      expect(await socket.nextText()).toBe(text);
    });

    test.each([
      ['PING', 'DATA-SYNC'],
      ['Ping', 'Data-Sync'],
    ])('the type may be in any letter case: %s and %s are answered', async (ping, dataSync) => {
      const workspace = await Workspace.create(target());
      const socket = await openSocket(workspace.url('client'));
      socket.send({ messageType: ping, data: {} });
      expect(await socket.nextText()).toBe('{"messageType":"pong","data":{}}');
      socket.send({ messageType: dataSync, data: { timestamp: 0, user: { keyId: 'u1' } } });
      expect((await socket.next()).data).toMatchObject({ eventType: 'full', userKeyId: 'u1' });
      await workspace.toggle('returns-true');
      expect((await socket.next()).data).toMatchObject({ eventType: 'patch', featureFlags: [{ id: 'returns-true' }] });
    });

    test('a pretty-printed message is understood, as the Java SDK sends it', async () => {
      const socket = await open('server');
      socket.send(JSON.stringify({ messageType: 'data-sync', data: { timestamp: 0 } }, null, 2));
      expect((await socket.next()).data.featureFlags).toHaveLength(5);
    });

    test.each([
      ['an unknown type', '{"messageType":"what","data":{}}'],
      ['no type', '{"data":{}}'],
      ['no data', '{"messageType":"what"}'],
      ['no JSON', 'hello'],
      ['the name of an inner route', '{"messageType":"$connect","data":{}}'],
      ['a thousand levels', `{"messageType":"what","data":${'['.repeat(1000)}${']'.repeat(1000)}}`],
      ['a data-sync without a user', '{"messageType":"data-sync","data":{"timestamp":0}}'],
    ])('%s gets silence, and the connection goes on', async (_name, text) => {
      const socket = await open();
      socket.send(text);
      await socket.expectSilence();
      expect((await socket.sync({ timestamp: 0, user: { keyId: 'u1' } })).data.featureFlags).toHaveLength(5);
    });

    test('an empty message and a binary one harm nobody', async () => {
      const socket = await open();
      socket.send('');
      await socket.expectSilence();
      const other = await open();
      other.send(Buffer.from([1, 2, 3]));
      other.terminate();
      const third = await open();
      expect((await third.sync({ timestamp: 0, user: { keyId: 'u1' } })).data.featureFlags).toHaveLength(5);
    });

    test('a frame over 32 KB, or a message over 128 KB, ends the connection with 1009', async () => {
      for (const kilobytes of [33, 140]) {
        const socket = await open();
        const echo = JSON.stringify({ messageType: 'echo', data: 'x'.repeat(kilobytes * 1024) });
        socket.send(echo);
        const isDiscarded = kilobytes < 128 && target().differences?.has('discards-large-messages');
        if (isDiscarded || target().differences?.has('no-size-limits')) {
          expect(await socket.expectSilence()).toBeUndefined();
        } else {
          expect((await socket.closed).code).toBe(1009);
        }
      }
    });
  });
}
