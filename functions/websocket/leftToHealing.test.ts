import { expect, jest, test } from '@jest/globals';
import { shardOf } from '../../shared/store/connections/connection.ts';
import { aSync, ask, connection, output, sender, service, stepOf } from '../testing/fixture.ts';
import { come, deliver, ended, heal, holdingSync, noted, put, syncOf, useRecovery, wait } from '../testing/recovery.ts';
import { dataSync, idsInShard, messageEvent } from '../testing/service.ts';

/* What deliveries and answers leave to healing, each as an order of events in which a change was lost, or came twice. */

jest.setTimeout(60_000);
useRecovery();

const got = () =>
  sender
    .to('c')
    .map(({ data }) => [data.eventType, ...data.featureFlags.map(({ id, key }: Record<string, string>) => key ?? id)]);
const serverSync = () => messageEvent(service, { type: 'server', body: dataSync(0) });
const state = async () => (await connection())?.state;

test('a connection that refuses a change twice gets it once it takes messages again', async () => {
  await put('f');
  await come('c', 'server');
  await ask(dataSync(0), { type: 'server' });
  sender.failing.add('c');
  const g = await put('g');
  // SQS hands the message in again after a pause.
  await deliver(g);
  await deliver(g);
  expect(await noted()).toEqual(['c']);
  sender.failing.clear();
  wait(30_000);
  await heal();
  expect(got()).toEqual([
    ['full', 'f'],
    ['patch', 'g'],
  ]);
  expect([await state(), await noted()]).toEqual([{ kind: 'current', version: g.updatedAt }, []]);
});

test('a marked connection that was not noted is noted by the next attempt', async () => {
  await put('f');
  const ids = idsInShard(shardOf('c'), 3);
  for (const id of ['c', ...ids]) await ask(dataSync(0), { type: 'server', id });
  sender.failing.add('c');
  const g = await put('g');
  await deliver(g);
  await deliver(g, 'c', ({ name }, send) => {
    if (name === 'PutItem') throw new Error('throttled');
    return send();
  });
  expect([await state(), await noted()]).toMatchObject([{ kind: 'waiting' }, []]);
  await deliver(g);
  expect(await noted()).toEqual(['c']);
});

test('a connection that is noted late has not waited since its data-sync', async () => {
  await ask(dataSync(0), { type: 'server' });
  wait(3_600_000);
  sender.failing.add('c');
  const g = await put('g');
  await deliver(g);
  await deliver(g);
  await heal();
  expect(output.text()).not.toContain('healed.waiting');
});

test('the last data-sync is noted though it is refused after one that was answered', async () => {
  await come('c');
  const sync = aSync();
  for (let n = 0; n < 21; n++) {
    wait(1);
    await sync(syncOf(`u${n}`));
  }
  expect(await noted()).toEqual(['c']);
  wait(1_100);
  await sync(syncOf('admitted'));
  expect(await noted()).toEqual([]);
  wait(50);
  await sync(syncOf('last'));
  expect(await noted()).toEqual(['c']);
  wait(60_000);
  await heal();
  expect(ended).toEqual(['c']);
});

test('a sender that finishes after its lease sends the change that was left to it', async () => {
  await put('f');
  await come('c', 'server');
  const slow = holdingSync((call) => stepOf(call) === 'finish');
  const done = slow.sync(serverSync());
  await slow.isReached;
  wait(15_000);
  const lease = (await state()) as { readonly leaseUntil: number };
  service.effects.clock.now = lease.leaseUntil;
  await deliver(await put('g'));
  // Its own clock is late.
  service.effects.clock.now -= 16_000;
  slow.release();
  await done;
  await deliver(await put('h'));
  expect(got()).toEqual([
    ['full', 'f'],
    ['patch', 'g'],
    ['patch', 'h'],
  ]);
});

test('nothing is sent next to healing, however late that comes', async () => {
  await put('f');
  await come('c', 'server');
  sender.failing.add('c');
  await aSync()(serverSync());
  sender.failing.clear();
  wait(600_000);
  await deliver(await put('g'));
  expect(got()).toEqual([]);
  await heal();
  expect(got()).toEqual([['full', 'f', 'g']]);
});

test('changes after a reply are not sent again if the answer could not be finished', async () => {
  await put('f');
  await come('c', 'server');
  let times = 0;
  const sync = aSync(async (call, send) => {
    if (stepOf(call) !== 'finish') return send();
    if (++times > 1) throw new Error('throttled');
    await deliver(await put('g'));
    return send();
  });
  await sync(serverSync());
  wait(60_000);
  await heal();
  expect(got().filter(([, ...keys]) => keys.includes('g'))).toHaveLength(1);
  expect(await state()).toMatchObject({ kind: 'current' });
});

test('an item that fits no message is sent once it is smaller, and delays no other', async () => {
  await put('big', 140_000);
  await put('f');
  await come('c', 'server');
  await ask(dataSync(0), { type: 'server' });
  await deliver(await put('g'));
  await deliver(await put('big', 140_001));
  await deliver(await put('big', 10));
  expect(got()).toEqual([
    ['full', 'f'],
    ['patch', 'g'],
    ['patch', 'big'],
  ]);
  expect([(await state())?.kind, await noted()]).toEqual(['current', []]);
});

test('a connection that was closed before its row was written leaves none', async () => {
  sender.gone.add('c');
  await ask(dataSync(0), { type: 'server' });
  expect(await connection()).toBeUndefined();
});
