import { expect, test } from '@jest/globals';
import { encodeToken } from '../../shared/protocol/token.ts';
import { openKnownKeys } from '../../shared/store/authenticate.ts';
import { beginAnswer } from '../../shared/store/testing/connect.ts';
import { database, useTables } from '../../shared/store/testing/testStore.ts';
import { testEffects } from '../../shared/store/testing/testTables.ts';
import { aFlag } from '../../shared/testing/builders.ts';
import { aService, dataSync, messageEvent, snapshotsOf, testSender } from '../testing/service.ts';
import { createConnect } from './connect.ts';
import { createDisconnect } from './disconnect.ts';
import { createSync } from './sync.ts';

useTables();

test('a connection costs one request, four, five for another user, and one at its end', async () => {
  const service = await aService(database);
  const { effects, envId, secrets } = service;
  await service.store.documents.writeFlag(envId, 'f', () => aFlag({ key: 'f' }));
  effects.clock.now += 600_000;

  let calls: string[] = [];
  const counted = database.open(service.effects, ({ name }, send) => {
    calls.push(name);
    return send();
  });
  const connect = createConnect(openKnownKeys(counted), counted.connections.unanswered, effects.now);
  const snapshots = snapshotsOf(service, ({ name }, send) => {
    calls.push(name);
    return send();
  });
  const sync = createSync({
    connections: counted.connections,
    relays: counted.relays,
    snapshots,
    sender: testSender(),
    effects,
  });
  const disconnect = createDisconnect(counted.connections, effects.now);

  const live = async (id: string) => {
    const costs: Record<string, string[]> = {};
    const spend = async (step: string, action: Promise<unknown>) => {
      await action;
      costs[step] = calls;
      calls = [];
    };
    const token = encodeToken(secrets.client.value, effects.now(), 20);
    const requestContext = { connectionId: id, connectedAt: effects.now() };
    const queryStringParameters = { type: 'client', token };
    await spend('connect', connect({ methodArn: 'arn', requestContext, queryStringParameters }));
    await spend('sync', sync(messageEvent(service, { id, body: dataSync(0, { keyId: 'u' }) })));
    await spend('sync again', sync(messageEvent(service, { id, body: dataSync(0, { keyId: 'v' }) })));
    expect(await service.store.connections.find(envId, id)).toBeDefined();
    await spend('disconnect', disconnect(messageEvent(service, { id })));
    expect(await service.store.connections.find(envId, id)).toBeUndefined();
    return costs;
  };

  const cold = await live('first');
  expect(cold['connect']).toEqual(['GetItem', 'PutItem']);
  expect(cold['sync']).toEqual(['UpdateItem', 'GetItem', 'GetItem', 'Query', 'UpdateItem', 'DeleteItem']);
  expect(await live('second')).toEqual({
    connect: ['PutItem'],
    sync: ['UpdateItem', 'GetItem', 'UpdateItem', 'DeleteItem'],
    'sync again': ['UpdateItem', 'GetItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
    disconnect: ['DeleteItem'],
  });
});

test('a disconnect of a connection that was never let in touches no table', async () => {
  const disconnect = createDisconnect(
    database.open(testEffects(), async () => {
      throw new Error('the table was asked');
    }).connections,
    Date.now,
  );
  const requestContext = { connectionId: 'c', routeKey: '$disconnect', requestTimeEpoch: 0 };
  expect(await disconnect({ requestContext })).toEqual({ statusCode: 200 });
});

test('a disconnect takes away the note of a connection that was not answered', async () => {
  const { store, effects, envId } = await aService(database);
  const { connections } = store;
  const disconnect = createDisconnect(connections, effects.now);
  const requestContext = { routeKey: '$disconnect', requestTimeEpoch: effects.now(), authorizer: { envId } };
  await beginAnswer(connections, envId, { id: 'failed', type: 'server', requestedAt: effects.now() });
  for (const id of ['never asked', 'failed']) {
    await connections.unanswered.note({ id, since: effects.now(), context: { envId } });
    await disconnect({ requestContext: { ...requestContext, connectionId: id } });
  }
  expect(await connections.unanswered.load(10)).toEqual([]);
});
