import { describe, expect, test } from '@jest/globals';
import { aFlag, aSegment } from '../../shared/testing/builders.ts';
import { aSync, ask, connection, output, service, useService } from '../testing/fixture.ts';
import { dataSync, messageEvent } from '../testing/service.ts';

useService();

const user = { keyId: 'u1', name: 'u1', customizedProperties: [{ name: 'country', value: 'us' }] };
const put = (key: string, name = '') =>
  service.store.documents.writeFlag(service.envId, key, () => aFlag({ key, name }));

describe('a data-sync', () => {
  test('is answered for a client with its flags, and registers it with its user', async () => {
    await put('f');
    expect(await ask(dataSync(0, user))).toMatchObject({
      messageType: 'data-sync',
      data: {
        eventType: 'full',
        userKeyId: 'u1',
        featureFlags: [{ id: 'f', variation: 'true', matchReason: 'default' }],
      },
    });
    expect(await connection()).toMatchObject({
      type: 'client',
      requestedAt: service.effects.now(),
      user: { keyId: 'u1', attributes: new Map([['country', 'us']]) },
    });
  });

  test('is answered for a server with the documents, and keeps no user', async () => {
    await put('f');
    await service.store.documents.writeSegment(service.envId, 's', () => aSegment({ id: 's' }));
    expect(await ask(dataSync(0, user), { type: 'server' })).toMatchObject({
      data: { eventType: 'full', featureFlags: [{ key: 'f' }], segments: [{ id: 's' }] },
    });
    expect(await connection()).not.toHaveProperty('user');
  });

  test('is answered in an empty environment, and with nothing newer, too', async () => {
    expect(await ask(dataSync(0), { type: 'server' })).toEqual({
      messageType: 'data-sync',
      data: { eventType: 'full', featureFlags: [], segments: [] },
    });
    const [written] = await put('f');
    expect(await ask(dataSync(written?.updatedAt, user), { id: 'd' })).toEqual({
      messageType: 'data-sync',
      data: { eventType: 'patch', userKeyId: 'u1', featureFlags: [] },
    });
  });

  test('has every write that was acknowledged before it, on an older instance too', async () => {
    const sync = aSync();
    for (let n = 0; n < 5; n++) {
      await put('f', `name ${n}`);
      const { data } = await ask(dataSync(), { type: 'server', sync });
      expect(data.featureFlags).toMatchObject([{ name: `name ${n}` }]);
    }
  });

  test('is not answered past a bound if a connection repeats it, which is logged once', async () => {
    await put('f');
    const sync = aSync();
    const isAnswered: boolean[] = [];
    for (let n = 0; n < 30; n++) isAnswered.push((await ask(dataSync(0), { type: 'server', sync })) !== undefined);
    expect(isAnswered).toEqual(Array.from({ length: 30 }, (_, n) => n < 20));
    expect(await service.store.connections.unanswered.load(10)).toHaveLength(1);
    expect(output.lines().filter(({ reason }) => reason === 'too many of one connection')).toHaveLength(1);
    service.effects.clock.now += 2_000;
    expect(await ask(dataSync(0), { type: 'server', sync })).toMatchObject({ data: { eventType: 'full' } });
  });

  test('is logged at most ten times in each of two minutes if a connection loops', async () => {
    const sync = aSync();
    for (let n = 0; n < 160; n++) {
      await ask(dataSync(0, user), { sync });
      service.effects.clock.now += 200;
    }
    const lines = output.lines().filter(({ reason }) => reason === 'too many of one connection');
    expect([lines.length > 1, lines.length <= 20]).toEqual([true, true]);
  });

  test('is answered at once for each of twenty users in a row, and nothing waits', async () => {
    await put('f');
    const sync = aSync(async (call, send) => {
      expect(call.name).not.toBe('PutItem');
      return send();
    });
    const before = service.effects.now();
    for (let n = 0; n < 20; n++) {
      service.effects.clock.now += 1;
      const { data } = await ask(dataSync(0, { ...user, customizedProperties: [{ name: 'n', value: String(n) }] }), {
        sync,
      });
      expect(data).toMatchObject({ eventType: 'full', featureFlags: [{ id: 'f' }] });
    }
    expect(service.effects.now()).toBe(before + 20);
  });

  test('never answers by the route, whose response leaves at a time that nobody knows', async () => {
    await put('f');
    expect(await aSync()(messageEvent(service, { body: dataSync(0, user) }))).toEqual({ statusCode: 200 });
  });

  test.each([
    ['a missing timestamp', '{"messageType":"data-sync","data":{"user":{"keyId":"u1"}}}', 'full'],
    ['a fraction', dataSync(12.5, user), 'full'],
    ['a negative timestamp', dataSync(-1, user), 'patch'],
    ['a timestamp of the future', dataSync(9e15, user), 'full'],
    [
      'a timestamp beyond all numbers',
      '{"messageType":"data-sync","data":{"timestamp":1e999,"user":{"keyId":"u"}}}',
      'full',
    ],
    [
      'numbers and booleans for values',
      dataSync(0, {
        keyId: 'u',
        customizedProperties: [
          { name: 'a', value: 7 },
          { name: 'b', value: true },
        ],
      }),
      'full',
    ],
    [
      'keys of prototypes',
      '{"messageType":"data-sync","__proto__":{"x":1},"data":{"constructor":1,"user":{"keyId":"u","__proto__":{"name":{}}}}}',
      'full',
    ],
  ])('is answered with %s', async (_, body, eventType) => {
    await put('f');
    expect((await ask(body)).data).toMatchObject({ eventType, featureFlags: [{ id: 'f' }] });
  });

  test.each([
    ['no body', ''],
    ['no JSON', 'data-sync'],
    ['binary', '\u0000\u00ff\ufffd'],
    ['no type', '{"data":{"timestamp":0}}'],
    ['no data', '{"messageType":"data-sync"}'],
    ['null for data', '{"messageType":"data-sync","data":null}'],
    ['text for a timestamp', dataSync('0', user)],
    ['null for a timestamp', dataSync(null, user)],
    ['no user', dataSync(0)],
    ['a user without keyId', dataSync(0, { name: 'u1' })],
    ['a blank keyId', dataSync(0, { keyId: '  ' })],
    ['a value that is a list', dataSync(0, { keyId: 'u', customizedProperties: [{ name: 'a', value: [] }] })],
    [
      'a thousand levels',
      `{"messageType":"data-sync","data":{"timestamp":0,"user":${'['.repeat(1_000)}${']'.repeat(1_000)}}}`,
    ],
    [
      'ten thousand properties',
      dataSync(0, {
        keyId: 'u',
        customizedProperties: Array.from({ length: 10_000 }, (_, n) => ({ name: `p${n}`, value: 'v' })),
      }),
    ],
  ])('gets no answer with %s, but a line in the log, and registers nobody', async (_, body) => {
    expect(await ask(body)).toBeUndefined();
    expect(await connection()).toBeUndefined();
    expect(output.lines()).toEqual([
      expect.objectContaining({ level: 'WARN', message: 'data-sync not answered', connectionId: 'c' }),
    ]);
    expect(output.text()).not.toContain('u1');
  });

  test.each([{}, { type: 'client' }, { envId: 'env', type: 'relay-proxy' }])(
    'touches no table without what the authorizer found out (%j)',
    async (authorizer) => {
      const sync = aSync(async () => {
        throw new Error('the table was asked');
      });
      const event = messageEvent(service, { body: dataSync(0, user) });
      await sync({ ...event, requestContext: { ...event.requestContext, authorizer } });
      expect(output.text()).toContain('context of the connect authorizer is missing');
      expect(output.text()).not.toContain('the table was asked');
    },
  );
});
