import { beforeEach, describe, expect, test } from '@jest/globals';
import { aFlag } from '../../shared/testing/builders.ts';
import { aSync, ask, connection, output, sender, service, stepOf, useService } from '../testing/fixture.ts';
import { dataSync, messageEvent } from '../testing/service.ts';

/* Several data-syncs of one connection. */

useService();

const user = (keyId: string, country = 'us') => ({
  keyId,
  name: keyId,
  customizedProperties: [{ name: 'country', value: country }],
});
const put = async (key: string) =>
  (await service.store.documents.writeFlag(service.envId, key, () => aFlag({ key })))[0]?.updatedAt ?? 0;
/** Whom the connection was answered for. */
const answeredUsers = () => sender.to('c').map(({ data }) => data.userKeyId);

beforeEach(() => put('f'));

describe('data-syncs of one connection', () => {
  test('get their own answer with another user each; the newest user gets the pushes', async () => {
    await ask(dataSync(0, user('u1')));
    service.effects.clock.now += 10;
    await ask(dataSync(0, user('u2')));
    expect(answeredUsers()).toEqual(['u1', 'u2']);
    expect(await connection()).toMatchObject({ user: { keyId: 'u2' }, hasAskedBefore: true });
  });

  test('keep the newer user in the wrong order, and the older one is not answered', async () => {
    const older = messageEvent(service, { body: dataSync(0, user('older')) });
    service.effects.clock.now += 1;
    await ask(dataSync(0, user('newer')));
    await aSync()(older);
    expect(answeredUsers()).toEqual(['newer']);
    expect(await connection()).toMatchObject({ user: { keyId: 'newer' }, state: { kind: 'current' } });
    expect(output.text()).toBe('');
  });

  test.each(['begin', 'GetItem', 'post', 'finish'])(
    'get one sender if the newer comes at %s of the older, the newer last, in full',
    async (step) => {
      const { post } = sender;
      let isAsked = false;
      const askNewer = async () => {
        if (isAsked) return;
        isAsked = true;
        service.effects.clock.now += 1;
        await aSync()(messageEvent(service, { body: dataSync(1, user('newer')) }));
      };
      sender.post = async (to, text) => {
        if (step === 'post') await askNewer();
        return post(to, text);
      };
      const sync = aSync(async (call, send) => {
        if (stepOf(call) === step) await askNewer();
        return send();
      });
      await sync(messageEvent(service, { body: dataSync(0, user('older')) }));
      expect(answeredUsers()).toEqual(step === 'begin' ? ['newer'] : ['older', 'newer']);
      expect(sender.to('c').at(-1)?.data.eventType).toBe(step === 'begin' ? 'patch' : 'full');
      expect(await connection()).toMatchObject({ user: { keyId: 'newer' }, state: { kind: 'current' } });
      expect(await service.store.connections.unanswered.load(10)).toEqual([]);
    },
  );

  test('are noted for healing if the newer is left to a sender that fails', async () => {
    sender.post = async () => {
      service.effects.clock.now += 1;
      await aSync()(messageEvent(service, { body: dataSync(0, user('newer')) }));
      throw new Error('busy');
    };
    await ask(dataSync(0, user('older')));
    expect(await service.store.connections.unanswered.load(10)).toMatchObject([{ id: 'c' }]);
    expect(await connection()).toMatchObject({
      user: { keyId: 'newer' },
      state: { kind: 'waiting' },
    });
  });

  test('are answered by themselves after the lease of a dead sender has expired', async () => {
    await new Promise<void>((resolve) => {
      const dying = aSync((call, send) => {
        if (stepOf(call) !== 'GetItem') return send();
        resolve();
        return new Promise(() => {});
      });
      void dying(messageEvent(service, { body: dataSync(0, user('older')) }));
    });
    service.effects.clock.now += 30_000;
    expect((await ask(dataSync(0, user('newer')))).data.userKeyId).toBe('newer');
  });
});

describe('the cursor of a later data-sync', () => {
  const answer = async (timestamp: number, who?: unknown) => {
    service.effects.clock.now += 1;
    return (await ask(dataSync(timestamp, who), { type: who ? 'client' : 'server' })).data.eventType;
  };

  test('counts where the connection has all that it says', async () => {
    const version = await put('g');
    expect([await answer(0), await answer(version)]).toEqual(['full', 'patch']);
  });

  test('does not count where it is newer than what the connection was answered', async () => {
    await answer(0);
    const pushed = await put('g');
    expect(await answer(pushed)).toBe('full');
  });

  test('counts for the same user, and for another keyId', async () => {
    const version = await put('g');
    expect([await answer(0, user('u')), await answer(version, user('u'))]).toEqual(['full', 'patch']);
    expect(await answer(0, user('v'))).toBe('full');
  });

  test('does not count for other attributes of one keyId, as the older may come later', async () => {
    const version = await put('g');
    expect([await answer(0, user('u')), await answer(version, user('u', 'fr'))]).toEqual(['full', 'full']);
  });

  test('does not count from the third data-sync on, as an earlier user may have the key', async () => {
    const version = await put('g');
    await answer(0, user('u'));
    expect(await answer(version, user('other'))).toBe('patch');
    expect(await answer(version, user('u', 'fr'))).toBe('full');
  });
});
