import { describe, expect, test } from '@jest/globals';
import type { Connection } from '../../shared/store/connection.ts';
import { aFlag } from '../../shared/testing/builders.ts';
import { aSync, ask, connection, output, service, stepOf, useService } from '../testing/fixture.ts';
import { dataSync, messageEvent } from '../testing/service.ts';

useService();

const user = { keyId: 'u1', name: 'u1', customizedProperties: [{ name: 'country', value: 'us' }] };
const put = (key: string, name = '') =>
  service.store.documents.writeFlag(service.envId, key, () => aFlag({ key, name }));

describe('several data-syncs of one connection', () => {
  test('with another user each get their own answer; the newest user gets the pushes', async () => {
    await put('f');
    expect((await ask(dataSync(0, user))).data.userKeyId).toBe('u1');
    service.effects.clock.now += 10;
    expect((await ask(dataSync(0, { keyId: 'u2' }))).data.userKeyId).toBe('u2');
    expect((await connection())?.user?.keyId).toBe('u2');
  });

  test('that are handled in the wrong order leave the newer user, and the older one is not answered', async () => {
    await put('f');
    const older = messageEvent(service, { body: dataSync(0, { keyId: 'older' }) });
    service.effects.clock.now += 1;
    await ask(dataSync(0, { keyId: 'newer' }));
    expect(await aSync()(older)).toEqual({ statusCode: 200 });
    expect(await connection()).toMatchObject({ user: { keyId: 'newer' }, version: expect.any(Number) });
    expect(output.text()).toBe('');
  });

  test('of which the newer is registered while the older reads leave the older one without an answer', async () => {
    await put('f');
    const slow = aSync(async ({ name }, send) => {
      if (name === 'Query') {
        service.effects.clock.now += 501;
        await ask(dataSync(0, { keyId: 'newer' }));
      }
      return send();
    });
    expect(await ask(dataSync(0, user), { sync: slow })).toBeUndefined();
    expect((await connection())?.user?.keyId).toBe('newer');
  });
});

describe('a data-sync with other attributes of the same keyId', () => {
  const other = { ...user, customizedProperties: [{ name: 'country', value: 'fr' }] };

  test('is answered with everything: what was made for the former ones may have come after its cursor', async () => {
    const [written] = await put('f');
    await ask(dataSync(0, user));
    service.effects.clock.now += 60_000;
    expect((await ask(dataSync(written?.updatedAt, user))).data).toMatchObject({
      eventType: 'patch',
      featureFlags: [],
    });
    service.effects.clock.now += 60_000;
    const answer = await ask(dataSync(written?.updatedAt, other));
    expect(answer.data).toMatchObject({ eventType: 'full', featureFlags: [{ id: 'f' }] });
  });

  test('is so too where another user was in between, and not where it is of another user', async () => {
    const [written] = await put('f');
    await ask(dataSync(0, user));
    service.effects.clock.now += 60_000;
    const another = await ask(dataSync(written?.updatedAt, { keyId: 'another' }));
    expect(another.data).toMatchObject({ eventType: 'patch' });
    service.effects.clock.now += 60_000;
    expect((await ask(dataSync(written?.updatedAt, other))).data.eventType).toBe('full');
  });

  test('waits until the answer to a data-sync just before is out, registered anew all the while', async () => {
    await put('f');
    await ask(dataSync(0, user));
    const before = service.effects.now();
    service.effects.clock.now += 100;
    const ages: number[] = [];
    const sync = aSync(({ name, input }, send) => {
      if (name === 'GetItem') ages.push(service.effects.now() - before);
      if (stepOf({ name, input }) === 'register') ages.push(service.effects.now() - before);
      return send();
    });
    await ask(dataSync(0, other), { sync });
    expect(ages).toEqual([100, 600, 1_000, 1_000]);
    expect(await connection()).toMatchObject({
      registeredAt: before + 1_000,
      user: { attributes: new Map([['country', 'fr']]) },
    });
  });

  test('waits a second from now where a reply in parts is being sent to the former one', async () => {
    await put('f');
    await ask(dataSync(0, user));
    await service.store.connections.markBusy(
      service.envId,
      (await connection()) as Connection,
      service.effects.now() + 90_000,
    );
    service.effects.clock.now += 30_000;
    const before = service.effects.now();
    await ask(dataSync(0, other));
    expect(service.effects.now()).toBe(before + 1_000);
  });

  test('does not wait where the one before is long out, and is never waited for by a server', async () => {
    await put('f');
    await ask(dataSync(0, user));
    await ask(dataSync(0), { type: 'server', id: 's' });
    service.effects.clock.now += 1_000;
    const before = service.effects.now();
    await ask(dataSync(0, other));
    expect((await ask(dataSync(before), { type: 'server', id: 's' })).data.eventType).toBe('full');
    expect(service.effects.now()).toBe(before);
  });
});

describe('what the answer held', () => {
  test('is noted before it goes out; until then the connection is busy, and pushes leave their changes to the answer', async () => {
    const [written] = await put('f');
    const states: (Connection | undefined)[] = [];
    let late: number | undefined;
    const sync = aSync(async (call, send) => {
      if (stepOf(call) === 'note') states.push(await connection());
      if (stepOf(call) === 'note' && states.length === 1) {
        const [pushed] = await put('late');
        late = pushed?.updatedAt ?? 0;
        await service.store.connections.leaveToSender(service.envId, states[0] as Connection, late);
      }
      return send();
    });
    const { data } = await ask(dataSync(written?.updatedAt), { type: 'server', sync });
    expect(data).toMatchObject({ eventType: 'full', featureFlags: [{ key: 'f' }, { key: 'late' }] });
    expect(states).toHaveLength(2);
    for (const state of states) expect(state).toMatchObject({ busyUntil: service.effects.now() + 30_000 });
    for (const state of states) expect(state).not.toHaveProperty('version');
    expect(await connection()).toMatchObject({ version: late });
    expect(await connection()).not.toHaveProperty('busyUntil');
  });

  test('is read after the connection was registered, and noted before it goes out', async () => {
    const order: string[] = [];
    await put('f');
    const sync = aSync((call, send) => {
      order.push(stepOf(call));
      return send();
    });
    await ask(dataSync(), { type: 'server', sync });
    expect(order).toEqual(['register', 'GetItem', 'Query', 'note', 'DeleteItem']);
  });

  test('is registered and read once more where it took so long that pushes may have begun', async () => {
    await put('f');
    const order: string[] = [];
    const sync = aSync((call, send) => {
      order.push(stepOf(call));
      if (call.name === 'Query') service.effects.clock.now += 501;
      return send();
    });
    await ask(dataSync(), { type: 'server', sync });
    expect(order).toEqual(['register', 'GetItem', 'Query', 'note', 'DeleteItem', 'register', 'GetItem', 'note']);
    expect((await connection())?.registeredAt).toBe(service.effects.now());
  });

  test('goes out after three slow attempts as it is', async () => {
    let registrations = 0;
    const sync = aSync((call, send) => {
      if (stepOf(call) === 'register') registrations++;
      service.effects.clock.now += 600;
      return send();
    });
    expect(await ask(dataSync(), { type: 'server', sync })).toHaveProperty('data.eventType', 'full');
    expect(registrations).toBe(3);
  });
});

describe('a table that fails', () => {
  test.each(['register', 'GetItem', 'Query', 'note'])('at %s, and recovers, delays the answer', async (failing) => {
    await put('f');
    let failures = 0;
    const sync = aSync((call, send) => {
      if (stepOf(call) === failing && failures++ < 2) throw new Error('throttled');
      return send();
    });
    expect(await ask(dataSync(0, user), { sync })).toMatchObject({ data: { featureFlags: [{ id: 'f' }] } });
    expect(await connection()).toMatchObject({ version: expect.any(Number) });
  });

  test('for longer than anybody waits is met with silence and an error in the log', async () => {
    const sync = aSync(async () => {
      throw new Error('throttled');
    });
    service.effects.clock.now -= 20_000;
    expect(await ask(dataSync(0, user), { sync })).toBeUndefined();
    expect(output.lines()).toEqual([expect.objectContaining({ level: 'ERROR', message: 'data-sync failed' })]);
  });

  test('for good, as there is no such environment, is not asked again', async () => {
    let reads = 0;
    const sync = aSync(({ name }, send) => {
      if (name === 'GetItem') reads++;
      return send();
    });
    const nowhere = { ...service, envId: service.effects.uuid() };
    expect(await sync(messageEvent(nowhere, { body: dataSync(0, user) }))).not.toHaveProperty('body');
    expect(reads).toBe(1);
  });
});
