import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { encodeToken } from '../../shared/protocol/token.ts';
import { SecretCache } from '../../shared/store/environments/secretCache.ts';
import { aSync, ask, output, service, useService } from '../testing/fixture.ts';
import { dataSync, messageEvent } from '../testing/service.ts';
import { createConnect } from './connect.ts';
import { createDefault } from './default.ts';
import { createDisconnect } from './disconnect.ts';

useService();
beforeAll(() => {
  process.env['AWS_LAMBDA_LOG_GROUP_NAME'] = 'test';
});
afterAll(() => {
  delete process.env['AWS_LAMBDA_LOG_GROUP_NAME'];
});

const connect = (token: string, find = new SecretCache(service.store)) =>
  createConnect(
    { secrets: find, relays: { find: async () => undefined } },
    service.store.connections.unanswered,
    service.effects.now,
  )({ methodArn: 'arn', queryStringParameters: { type: 'client', token } });

test('counts a connection that is admitted or in error, and logs a refused one', async () => {
  const token = encodeToken(service.secrets.client.value, service.effects.now(), 7);
  await connect(token);
  await connect('nonsense').catch(() => {});
  const broken = { find: () => Promise.reject(new Error('the table is down')) };
  await connect(token, broken as unknown as SecretCache).catch(() => {});
  expect(output.metrics()).toEqual([{ 'websocket.connections.total': 1 }, { 'websocket.connections.errors': 1 }]);
});

test('a connection that ends is counted, with how long it lasted', async () => {
  const disconnect = createDisconnect(service.store.connections, service.effects.now);
  const event = messageEvent(service);
  await disconnect({
    ...event,
    requestContext: { ...event.requestContext, connectedAt: service.effects.now() - 5_000 },
  });
  await disconnect(event);
  expect(output.metrics()).toEqual([{ 'websocket.connections.duration': 5_000 }]);
});

test('a data-sync is measured from its arrival, whatever becomes of it', async () => {
  const body = dataSync(0, { keyId: 'u1' });
  const arrived = messageEvent(service, { body });
  service.effects.clock.now += 40;
  await aSync()(arrived);
  await ask(dataSync(0, {}));
  const down = aSync(() => {
    service.effects.clock.now += 30_000;
    throw Object.assign(new Error('there is no such environment'), { name: 'NotFound' });
  });
  const late = messageEvent(service, { body });
  await down({ ...late, requestContext: { ...late.requestContext, requestTimeEpoch: 0 } });
  expect(output.metrics()).toEqual([
    { 'sync.latency': 40 },
    { 'websocket.messages.invalid': 1 },
    { 'websocket.connections.errors': 1 },
  ]);
});

test('counts other messages that get no answer', async () => {
  const defaultRoute = createDefault(aSync(), service.effects.now);
  await defaultRoute(messageEvent(service, { body: '{"messageType":"echo","data":7}' }));
  await defaultRoute(messageEvent(service, { body: 'no message' }));
  expect(output.metrics()).toEqual([{ 'websocket.messages.invalid': 1 }]);
});
