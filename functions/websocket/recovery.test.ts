import { describe, expect, jest, test } from '@jest/globals';
import type { StoredDocument } from '../../shared/store/documents/item.ts';
import { aSegment } from '../../shared/testing/builders.ts';
import { aSync, ask, connection, sender, service, stepOf } from '../testing/fixture.ts';
import {
  askAgainInEachPost,
  come,
  deliver,
  die,
  ended,
  heal,
  noted,
  put,
  syncOf,
  useRecovery,
  wait,
} from '../testing/recovery.ts';
import { dataSync, messageEvent } from '../testing/service.ts';

/* Senders that die or fail, requests that are repeated or arrive late, and what healing and deliveries make of it. */

// Many requests to the embedded table.
jest.setTimeout(60_000);
useRecovery();

describe('a connection whose sender died', () => {
  test('is still answered when a push came first and had nothing for it', async () => {
    await come('c');
    await die('Query', syncOf('u'));
    wait(30_000);
    const [segment] = await service.store.documents.writeSegment(service.envId, 's', () => aSegment({ id: 's' }));
    await deliver(segment as StoredDocument);
    await deliver(segment as StoredDocument);
    await heal();
    expect(sender.to('c')).toMatchObject([{ data: { eventType: 'full' } }]);
    expect([await noted(), (await connection())?.state.kind]).toEqual([[], 'current']);
  });

  test('is still answered when an invalid data-sync came after it', async () => {
    await come('c');
    await die('Query', syncOf('u'));
    wait(1_000);
    await ask('{"messageType":"data-sync","data":{}}');
    wait(60_000);
    await heal();
    expect(sender.to('c')).toMatchObject([{ data: { eventType: 'full', userKeyId: 'u' } }]);
  });

  test('gives up before it is killed if its posts are slow, so that healing knows of it', async () => {
    for (let n = 0; n < 20; n++) await put(`f${n}`, 50_000);
    await ask(dataSync(0), { type: 'server' });
    wait(60_000);
    const { post } = sender;
    sender.post = async (to, text) => {
      wait(2_500);
      return post(to, text);
    };
    await ask(dataSync(0), { type: 'server' });
    expect(await noted()).toEqual(['c']);
    sender.post = post;
    wait(60_000);
    await heal();
    expect([await noted(), (await connection())?.state.kind]).toEqual([[], 'current']);
  });
});

describe('a later data-sync', () => {
  test('is healed if its sender died, with a change that came meanwhile', async () => {
    await ask(dataSync(0, { keyId: 'u' }));
    wait(1_000);
    await die('Query', syncOf('v'));
    await put('g');
    wait(60_000);
    await heal();
    expect(sender.to('c').at(-1)).toMatchObject({
      data: { eventType: 'full', userKeyId: 'v', featureFlags: [{ id: 'g' }] },
    });
    expect([await noted(), (await connection())?.state.kind]).toEqual([[], 'current']);
  });

  test('is healed if its sender died, though connect could not note the connection', async () => {
    await die('Query', syncOf('u'));
    wait(1_000);
    await ask(dataSync(0, { keyId: 'v' }));
    expect([sender.sent, await noted()]).toEqual([[], ['c']]);
    wait(60_000);
    await heal();
    expect(sender.to('c')).toMatchObject([{ data: { eventType: 'full', userKeyId: 'v' } }]);
  });

  test('is healed in full if its sender failed', async () => {
    await put('f');
    await come('s', 'server');
    const event = () => messageEvent(service, { id: 's', type: 'server', body: dataSync(0) });
    const { post } = sender;
    sender.post = async (to, text) => {
      sender.post = post;
      wait(1_000);
      await aSync()(event());
      const posted = await post(to, text);
      sender.failing.add('s');
      return posted;
    };
    await aSync()(event());
    sender.failing.clear();
    wait(60_000);
    await heal();
    const full = { data: { eventType: 'full', featureFlags: [{ key: 'f' }] } };
    expect(sender.to('s')).toMatchObject([full, full]);
  });

  test('is answered until time ends if one comes in each post, then left to healing', async () => {
    const deadline = service.effects.now() + 20_000;
    const posts = askAgainInEachPost(() => syncOf('v'));
    await aSync()(syncOf('u'));
    expect(posts.at(-1)).toBeLessThanOrEqual(deadline);
    expect([await noted(), (await connection())?.state]).toMatchObject([['c'], { kind: 'waiting' }]);
  });

  test.each([
    ['is answered at once where the one before failed', 'failing', 1],
    ['waits for healing where a message of the one before may still arrive', 'uncertain', 0],
  ] as const)('%s', async (_, outcome, answers) => {
    sender[outcome].add('c');
    await ask(dataSync(0, { keyId: 'u' }));
    sender[outcome].clear();
    wait(1_000);
    await ask(dataSync(0, { keyId: 'v' }));
    expect(sender.to('c')).toHaveLength(answers);
    wait(60_000);
    await heal();
    expect(sender.to('c')).toMatchObject([{ data: { eventType: 'full', userKeyId: 'v' } }]);
    expect([await noted(), (await connection())?.state.kind]).toEqual([[], 'current']);
  });
});

test('a refused data-sync stays noted though an older one is answered', async () => {
  await come('c');
  const sync = aSync();
  const { post } = sender;
  let isFirst = true;
  sender.post = async (to, text) => {
    if (isFirst) {
      isFirst = false;
      for (let n = 1; n <= 20; n++) {
        wait(1);
        await sync(syncOf(`u${n}`));
      }
    }
    return post(to, text);
  };
  await sync(syncOf('u0'));
  expect(sender.to('c').map(({ data }) => data.userKeyId)).toEqual(['u0', 'u19']);
  wait(60_000);
  await heal();
  expect(ended).toEqual(['c']);
});

describe('a request to the table', () => {
  test('heals a connection if its claim is repeated after a lost response', async () => {
    await come('s', 'server');
    wait(30_000);
    let isLost = false;
    await heal(async (call, send) => {
      if (call.input.UpdateExpression?.includes('claimedUntil') && !isLost) {
        isLost = true;
        await send();
      }
      return send();
    });
    expect(sender.to('s')).toHaveLength(1);
  });

  test('takes no lease if it begins an answer after its repeat was finished', async () => {
    let repeat: (() => Promise<unknown>) | undefined;
    const sync = aSync((call, send) => {
      if (stepOf(call) === 'begin') repeat = send;
      return send();
    });
    await sync(syncOf('u'));
    await repeat?.().catch(() => {});
    await deliver(await put('g'));
    expect(sender.to('c').at(-1)).toMatchObject({ data: { eventType: 'patch', featureFlags: [{ id: 'g' }] } });
  });
});

test('healing reaches all that become due, though one connection cannot be reached', async () => {
  await come('stuck', 'server');
  sender.failing.add('stuck');
  wait(20_000);
  await come('s', 'server');
  wait(15_000);
  await heal();
  expect(sender.to('s')).toHaveLength(1);
});
