import { EventBridgeClient, PutEventsCommand, type PutEventsRequestEntry } from '@aws-sdk/client-eventbridge';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { systemClock } from '../clock.ts';
import { clientOptions, startServices } from '../testing/services.ts';
import { type BusEvent, createEventBridge, type EventBridge } from './service.ts';

let bridge: EventBridge;
let services: Awaited<ReturnType<typeof startServices>>;
let client: EventBridgeClient;
let told: BusEvent[] = [];
const log: string[] = [];
beforeAll(async () => {
  bridge = createEventBridge({
    clock: systemClock,
    log: (line) => log.push(line),
    onEvent: (event) => told.push(event),
  });
  services = await startServices(bridge.service);
  client = new EventBridgeClient(clientOptions(services.url));
});
afterAll(async () => {
  client.destroy();
  await services.close();
});
beforeEach(() => {
  told = [];
});

const entry = { Source: 'shop', DetailType: 'Sold', Detail: '{"n":1}' };
const put = (...Entries: PutEventsRequestEntry[]) => client.send(new PutEventsCommand({ Entries }));

describe('EventBridge with the real SDK', () => {
  test('accepts events, and hands them on as a rule’s target gets them', async () => {
    const answer = await put(
      { ...entry, Time: new Date('2026-11-24T10:00:00.123Z') },
      { ...entry, EventBusName: 'default' },
    );
    expect(answer).toMatchObject({ FailedEntryCount: 0, Entries: [{ EventId: told[0]?.event.id }, {}] });
    expect(told).toMatchObject([
      {
        bus: 'default',
        event: {
          version: '0',
          'detail-type': 'Sold',
          source: 'shop',
          account: '000000000000',
          time: '2026-11-24T10:00:00Z',
          region: 'us-east-1',
          resources: [],
          detail: { n: 1 },
        },
      },
      { bus: 'default' },
    ]);
  });

  test('takes a bus by its ARN', async () => {
    await put({ ...entry, EventBusName: 'arn:aws:events:us-east-1:000000000000:event-bus/default' });
    expect(told).toMatchObject([{ bus: 'default' }]);
  });

  test('accepts and discards an event for a bus that does not exist, as on AWS, and logs it', async () => {
    expect(await put({ ...entry, EventBusName: 'gone' })).toMatchObject({ FailedEntryCount: 0 });
    expect(told).toEqual([]);
    expect(log).toEqual(['eventbridge: there is no event bus gone; its event is discarded']);
  });

  test.each([
    ['without a source', { Source: '' }, 'InvalidArgument'],
    ['without a detail', { Detail: undefined }, 'InvalidArgument'],
    ['whose detail is no JSON', { Detail: 'x' }, 'MalformedDetail'],
    ['whose detail is no object', { Detail: '[]' }, 'MalformedDetail'],
    ['in the name of AWS', { Source: 'aws.s3' }, 'NotAuthorizedForSourceException'],
  ])('refuses an entry %s, and accepts the others', async (_, fields, ErrorCode) => {
    expect(await put({ ...entry, ...fields }, entry)).toMatchObject({
      FailedEntryCount: 1,
      Entries: [{ ErrorCode }, { EventId: told[0]?.event.id }],
    });
    expect(told).toHaveLength(1);
  });

  test('refuses a request of more than ten entries, or of more than 256 KB', async () => {
    await expect(put(...Array.from({ length: 11 }, () => entry))).rejects.toThrow('from 1 to 10');
    await expect(put()).rejects.toThrow('from 1 to 10');
    const large = { ...entry, Detail: JSON.stringify({ text: 'x'.repeat(130_000) }) };
    await expect(put(large, large, large)).rejects.toThrow(
      'Total size of the entries in the request is over the limit.',
    );
    expect(await put(large, large)).toMatchObject({ FailedEntryCount: 0 });
  });

  test('keeps the newest 200 events', async () => {
    for (let n = 0; n < 21; n++) await put(...Array.from({ length: 10 }, () => ({ ...entry, Detail: `{"n":${n}}` })));
    expect(bridge.events).toHaveLength(200);
    expect(bridge.events[0]?.event.detail).toEqual({ n: 1 });
  });
});
