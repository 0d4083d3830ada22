import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { systemClock } from '../../dev/emulator/clock.ts';
import { createEventBridge, type EventBridge } from '../../dev/emulator/eventbridge/service.ts';
import { clientOptions, startServices } from '../../dev/emulator/testing/services.ts';
import type { ChangeEvent } from './changeEvent.ts';
import { createEventBus } from './eventBus.ts';

let bridge: EventBridge;
let client: EventBridgeClient;
let services: Awaited<ReturnType<typeof startServices>>;
beforeAll(async () => {
  bridge = createEventBridge({ clock: systemClock, log: () => undefined });
  services = await startServices(bridge.service);
  client = new EventBridgeClient(clientOptions(services.url));
});
afterAll(async () => {
  client.destroy();
  await services.close();
});

const event: ChangeEvent = {
  source: 'flagwire',
  detailType: 'Flag Changed',
  time: Date.parse('2026-11-24T10:00:00.000Z'),
  detail: '{"key":"f"}',
};

test('events arrive on the bus with their source, type, time and detail', async () => {
  await createEventBus(client, 'default')([event, { ...event, detailType: 'Segment Changed' }]);
  expect(bridge.events).toMatchObject([
    { bus: 'default', event: { source: 'flagwire', 'detail-type': 'Flag Changed', time: '2026-11-24T10:00:00Z' } },
    { bus: 'default', event: { 'detail-type': 'Segment Changed', detail: { key: 'f' }, resources: [] } },
  ]);
});

test('an event that is refused among others fails the request', async () => {
  await expect(createEventBus(client, 'default')([event, { ...event, detail: 'no JSON' }])).rejects.toThrow(
    'EventBridge did not accept 1 events: MalformedDetail',
  );
});
