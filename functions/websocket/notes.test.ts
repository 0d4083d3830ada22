import { describe, expect, jest, test } from '@jest/globals';
import { aSync, ask, connection, sender, service, stepOf } from '../testing/fixture.ts';
import { come, deliver, die, heal, holdingSync, noted, put, syncOf, useRecovery, wait } from '../testing/recovery.ts';
import { dataSync } from '../testing/service.ts';
import { createDisconnect } from './disconnect.ts';

/* The notes that healing reads: no order of requests takes one away too early, or replaces one by less. */

// Many requests to the embedded table.
jest.setTimeout(60_000);
useRecovery();

const usersSent = () => sender.to('c').map(({ data }) => data.userKeyId);

describe('a later data-sync', () => {
  test.each(['Query', 'finish'])('is noted after a failed push, if its sender dies at %s', async (step) => {
    await ask(dataSync(0, { keyId: 'u' }));
    sender.failing.add('c');
    await deliver(await put('g'));
    sender.failing.clear();
    wait(1_000);
    await die(step, syncOf('v'));
    wait(60_000);
    await heal();
    expect([usersSent().at(-1), (await connection())?.state.kind]).toEqual(['v', 'current']);
  });

  test('is noted if the one before was killed between its lease and its note', async () => {
    await ask(dataSync(0, { keyId: 'u' }));
    wait(1_000);
    await die('PutItem', syncOf('v'));
    wait(31_000);
    await die('finish', syncOf('w'));
    expect(await noted()).toEqual(['c']);
  });

  test('is noted though the removal of the earlier note comes late', async () => {
    await come('c');
    wait(10);
    const slow = holdingSync(({ name }) => name === 'DeleteItem');
    const first = slow.sync(syncOf('u'));
    await slow.isReached;
    wait(10);
    await die('finish', syncOf('v'));
    slow.release();
    await first;
    expect(await noted()).toEqual(['c']);
  });

  test('is noted though the note of an older one comes late', async () => {
    const older = syncOf('older');
    wait(10);
    await come('c');
    sender.failing.add('c');
    await aSync()(older);
    expect(await service.store.connections.unanswered.load(10)).toMatchObject([{ since: service.effects.now() }]);
  });
});

test('a sender that never learned that it had begun holds no lease', async () => {
  await come('c');
  await aSync(async (call, send) => {
    if (stepOf(call) !== 'begin') return send();
    await send().catch(() => {});
    throw new Error('the response was lost');
  })(syncOf('u'));
  wait(1_000);
  await ask(dataSync(0, { keyId: 'v' }));
  expect(usersSent()).toEqual(['v']);
});

test('a client that leaves while it is answered is noted no more', async () => {
  await ask(dataSync(0, { keyId: 'u' }));
  wait(1_000);
  const slow = holdingSync(({ name }) => name === 'PutItem');
  const event = syncOf('v');
  const { post } = sender;
  sender.post = async (to, text) => {
    sender.gone.add('c');
    await createDisconnect(service.store.connections, service.effects.now)(event);
    slow.release();
    return post(to, text);
  };
  await slow.sync(event);
  expect(await noted()).toEqual([]);
});

test('a connection whose sender failed is left to healing first, as that is one reply', async () => {
  for (let n = 0; n < 5; n++) await put(`f${n}`);
  await come('c');
  sender.failing.add('c');
  await aSync()(syncOf('u'));
  sender.failing.clear();
  wait(1_000);
  await deliver(await put('g'));
  expect(sender.to('c')).toHaveLength(0);
  wait(60_000);
  await heal();
  expect(sender.to('c')).toHaveLength(1);
});
