import { describe, expect, test } from '@jest/globals';
import { encodeToken } from '../../../../shared/protocol/token.ts';
import { type HandshakeError, RawSocket } from '../../../support/rawSocket.ts';
import type { GetTarget } from '../target.ts';
import { Workspace } from '../workspace.ts';
import { openSocket } from './untilEnd.ts';

/**
 * FeatBit's streaming authentication cases. Where FeatBit accepts the handshake and closes with 4003, API Gateway can
 * only refuse it: with 401 for no or a malformed token, with 403 for all else.
 */
export function authenticationCases(target: GetTarget): void {
  describe('authentication of connections', () => {
    /** The result of an attempt: 101, or the status or close code of a refusal. */
    const refusal = async (url: string) =>
      RawSocket.open(url).then(
        async (socket) => {
          if (doesClose()) {
            socket.send({ messageType: 'ping', data: {} });
            return Promise.race([socket.nextText().then(() => 101), socket.closed.then(({ code }) => code)]);
          }
          await socket.close();
          return 101;
        },
        (refused: HandshakeError) => refused.status,
      );
    const doesClose = () => target().differences?.has('refuses-with-4003') ?? false;
    const unauthorized = () => (doesClose() ? 4003 : 401);
    const forbidden = () => (doesClose() ? 4003 : 403);

    test.each(['client', 'server'] as const)('a fresh %s token connects', async (type) => {
      const workspace = await Workspace.create(target(), []);
      expect(await refusal(workspace.url(type))).toBe(101);
    });

    test('parameters may come in any order, with a version that FeatBit knows', async () => {
      const workspace = await Workspace.create(target(), []);
      const { streamingUrl } = target();
      expect(await refusal(`${streamingUrl}/streaming?token=${workspace.token('server')}&type=server&version=2`)).toBe(
        101,
      );
    });

    test('tokens, types and versions that are not valid are refused', async () => {
      const workspace = await Workspace.create(target(), []);
      const stranger = await Workspace.create(target(), []);
      const { streamingUrl } = target();
      const at = (query: string) => refusal(`${streamingUrl}/streaming${query}`);
      const token = () => workspace.token('client');
      const now = Date.now();
      const malformed = target().differences?.has('unauthorized-is-500') ? 500 : unauthorized();

      expect(await at('')).toBe(unauthorized());
      expect(await at('?type=client')).toBe(unauthorized());
      expect(await at('?type=client&token=')).toBe(unauthorized());
      expect(await at('?type=client&token=4chs')).toBe(malformed);
      expect(await at('?type=client&token=nonsense')).toBe(malformed);
      expect(await at(`?type=client&token=${token().replace(/^./, 'A')}`)).toBe(malformed);
      expect(await at(`?type=client&token=${workspace.token('client', now - 60_000)}`)).toBe(forbidden());
      expect(await at(`?type=client&token=${workspace.token('client', now + 60_000)}`)).toBe(forbidden());
      expect(await at(`?type=server&token=${token()}`)).toBe(forbidden());
      expect(await at(`?type=nobody&token=${token()}`)).toBe(forbidden());
      expect(await at(`?type=client&version=999&token=${token()}`)).toBe(forbidden());
      expect(await at(`?type=client&type=client&token=${token()}`)).toBe(forbidden());
      expect(await at(`?type=client&TYPE=server&token=${token()}`)).toBe(forbidden());
      expect(await at(`?type=client&token=${token()}&token=${token()}`)).toBe(malformed);
      const unknown = `${'A'.repeat(22)}${stranger.clientKey.slice(22)}`;
      expect(await at(`?type=client&token=${encodeToken(unknown, now, 5)}`)).toBe(forbidden());
    });

    test('connections that a secret opened are ended with it, and those of others are not', async () => {
      const workspace = await Workspace.create(target(), []);
      const [ended, kept] = [await openSocket(workspace.url('client')), await openSocket(workspace.url('server'))];
      await ended.sync({ timestamp: 0, user: { keyId: 'u' } });
      await kept.sync({ timestamp: 0 });
      await workspace.rotate('client', 0);
      expect((await ended.closed).code).toBe(doesClose() ? 4003 : 1000);
      kept.send({ messageType: 'ping', data: null });
      expect(await kept.nextText()).toContain('pong');
    }, 90_000);

    test('a secret that was ended is refused, its successor is not; one with grace still connects', async () => {
      const workspace = await Workspace.create(target(), []);
      const successor = await workspace.rotate('client', 0);
      expect(await refusal(workspace.url('client'))).toBe(forbidden());
      expect(await refusal(workspace.url('client', encodeToken(successor, Date.now(), 3)))).toBe(101);
      await workspace.rotate('server', 3_600_000);
      expect(await refusal(workspace.url('server'))).toBe(101);
    });
  });
}
