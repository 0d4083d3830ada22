import { describe, expect, test } from '@jest/globals';
import { writeFlag } from '../../shared/store/write.ts';
import { aFlag } from '../../shared/testing/builders.ts';
import { aSync, ask, connection, output, service, useService } from '../testing/fixture.ts';
import { dataSync, messageEvent } from '../testing/service.ts';

useService();

const user = { keyId: 'u1', name: 'u1', customizedProperties: [{ name: 'country', value: 'us' }] };
const put = (key: string, name = '') =>
  writeFlag(service.tables, service.ambient, service.envId, key, () => aFlag({ key, name }));

describe('several data-syncs of one connection', () => {
  test('with another user each get their own answer; the newest user gets the pushes', async () => {
    await put('f');
    expect((await ask(dataSync(0, user))).data.userKeyId).toBe('u1');
    service.ambient.clock.now += 10;
    expect((await ask(dataSync(0, { keyId: 'u2' }))).data.userKeyId).toBe('u2');
    expect((await connection())?.user?.keyId).toBe('u2');
  });

  test('that are handled in the wrong order leave the newer user', async () => {
    await put('f');
    const older = messageEvent(service, { body: dataSync(0, { keyId: 'older' }) });
    service.ambient.clock.now += 1;
    await ask(dataSync(0, { keyId: 'newer' }));
    const { body } = await aSync()(older);
    expect(JSON.parse(body ?? '').data.userKeyId).toBe('older');
    expect(await connection()).toMatchObject({ user: { keyId: 'newer' }, version: expect.any(Number) });
  });
});

describe('what the answer held', () => {
  test('is noted while its last change may still be on its way, and only then', async () => {
    const [written] = await put('f');
    await ask(dataSync(), { type: 'server', id: 'soon' });
    expect((await connection('soon'))?.version).toBe(written?.updatedAt);
    service.ambient.clock.now += 10_000;
    await ask(dataSync(), { type: 'server', id: 'later' });
    expect(await connection('later')).not.toHaveProperty('version');
  });

  test('is read after the connection was registered, and noted before it goes out', async () => {
    const order: string[] = [];
    await put('f');
    const sync = aSync(({ name }, send) => {
      order.push(name);
      return send();
    });
    await ask(dataSync(), { type: 'server', sync });
    expect(order).toEqual(['PutItem', 'GetItem', 'Query', 'UpdateItem']);
  });

  test('is registered and read once more where it took so long that pushes may have begun', async () => {
    await put('f');
    const order: string[] = [];
    const sync = aSync(({ name }, send) => {
      order.push(name);
      if (name === 'Query') service.ambient.clock.now += 501;
      return send();
    });
    await ask(dataSync(), { type: 'server', sync });
    expect(order).toEqual(['PutItem', 'GetItem', 'Query', 'UpdateItem', 'PutItem', 'GetItem', 'UpdateItem']);
    expect((await connection())?.registeredAt).toBe(service.ambient.now());
  });

  test('goes out after three slow attempts as it is', async () => {
    let registrations = 0;
    const sync = aSync(({ name }, send) => {
      if (name === 'PutItem') registrations++;
      service.ambient.clock.now += 600;
      return send();
    });
    expect(await ask(dataSync(), { type: 'server', sync })).toHaveProperty('data.eventType', 'full');
    expect(registrations).toBe(3);
  });
});

describe('a table that fails', () => {
  test.each(['PutItem', 'GetItem', 'Query', 'UpdateItem'])(
    'at %s, and recovers, delays the answer',
    async (failing) => {
      await put('f');
      let failures = 0;
      const sync = aSync(({ name }, send) => {
        if (name === failing && failures++ < 2) throw new Error('throttled');
        return send();
      });
      expect(await ask(dataSync(0, user), { sync })).toMatchObject({ data: { featureFlags: [{ id: 'f' }] } });
      expect(await connection()).toMatchObject({ version: expect.any(Number) });
    },
  );

  test('for longer than anybody waits is met with silence and an error in the log', async () => {
    const sync = aSync(async () => {
      throw new Error('throttled');
    });
    service.ambient.clock.now -= 20_000;
    expect(await ask(dataSync(0, user), { sync })).toBeUndefined();
    expect(output.lines()).toEqual([expect.objectContaining({ level: 'ERROR', message: 'data-sync failed' })]);
  });

  test('for good, as there is no such environment, is not asked again', async () => {
    let reads = 0;
    const sync = aSync(({ name }, send) => {
      if (name === 'GetItem') reads++;
      return send();
    });
    const nowhere = { ...service, envId: service.ambient.uuid() };
    expect(await sync(messageEvent(nowhere, { body: dataSync(0, user) }))).not.toHaveProperty('body');
    expect(reads).toBe(1);
  });
});
