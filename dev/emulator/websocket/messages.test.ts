import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { connectClient, startTestGateway, type TestClient, type TestGateway } from '../testing/gateway.ts';
import { exampleTemplates, withProperties, withResource, withThrottled } from '../testing/templates.ts';

let gateway: TestGateway;
let client: TestClient;
beforeAll(async () => {
  gateway = await startTestGateway();
  client = await connectClient(`${gateway.streamingUrl}?token=good`);
});
afterAll(() => gateway.close());

const send = (messageType: string, data?: unknown) => client.socket.send(JSON.stringify({ messageType, data }));
const nextEvent = async () =>
  JSON.parse(await client.next()) as { requestContext: Record<string, unknown>; body: string };

describe('WebSocket messages', () => {
  test('a MOCK route answers its constant, byte for byte', async () => {
    send('ping', null);
    expect(await client.next()).toBe('{"messageType":"pong","data":{}}');
  });

  test('the event has the fields of AWS and no others', async () => {
    send('echo', 1);
    const event = await nextEvent();
    expect(Object.keys(event).sort()).toEqual(['body', 'isBase64Encoded', 'requestContext']);
    expect(event.body).toBe('{"messageType":"echo","data":1}');
    expect(Object.keys(event.requestContext).sort()).toEqual(
      [
        'apiId authorizer connectedAt connectionId domainName eventType extendedRequestId identity messageDirection',
        'messageId requestId requestTime requestTimeEpoch routeKey stage',
      ].flatMap((names) => names.split(' ')),
    );
    expect(event.requestContext).toMatchObject({
      routeKey: 'echo',
      eventType: 'MESSAGE',
      messageDirection: 'IN',
      stage: 'streaming',
      domainName: `${String(event.requestContext['apiId'])}.execute-api.us-east-1.amazonaws.com`,
      requestTime: expect.stringMatching(/^\d\d\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d \+0000$/),
      requestId: event.requestContext['extendedRequestId'],
    });
  });

  test.each([
    'not json',
    '{"messageType":"nobody"}',
    '{"messageType":"$connect"}',
    '{"messageType":"$disconnect"}',
    '""',
    '',
  ])('%j goes to $default', async (text) => {
    client.socket.send(text);
    const event = await nextEvent();
    expect([event.requestContext['routeKey'], event.body]).toEqual(['$default', text]);
  });

  test('without a route response, or without a body, nothing comes back', async () => {
    send('silent', 1);
    send('echo', { do: 'nothing' });
    send('ping');
    expect(await client.next()).toBe('{"messageType":"pong","data":{}}');
  });

  test.each(['throw', 'nonsense', 'flood', 'hang'])(
    'a handler that does "%s" is an internal server error',
    async (what) => {
      send('echo', { do: what });
      expect(JSON.parse(await client.next())).toEqual({
        message: 'Internal server error',
        connectionId: expect.any(String),
        requestId: expect.any(String),
      });
      expect(client.socket.readyState).toBe(client.socket.OPEN);
    },
  );

  test.each([
    ['is throttled', withThrottled(exampleTemplates, 'Realtime', 'EchoFn'), 'Internal server error'],
    [
      'takes longer than the integration waits',
      withProperties(exampleTemplates, 'Realtime', 'Echo', { TimeoutInMillis: 200 }),
      'Endpoint request timed out',
    ],
  ])(
    'a function that %s is told to the client, with or without a route response, and the connection stays',
    async (_name, templates, message) => {
      const other = await startTestGateway({ templates });
      const { socket, next } = await connectClient(`${other.streamingUrl}?token=good`);
      for (const messageType of ['echo', 'silent']) {
        socket.send(JSON.stringify({ messageType, data: { do: 'hang' } }));
        expect(JSON.parse(await next())).toEqual({
          message,
          connectionId: expect.any(String),
          requestId: expect.any(String),
        });
      }
      socket.send('{"messageType":"ping"}');
      expect(await next()).toContain('pong');
      await other.close();
    },
  );

  test('messages of one connection run concurrently', async () => {
    send('echo', { do: 'wait', ms: 100 });
    send('ping');
    expect(await client.next()).toContain('pong');
    expect(await client.next()).toContain('wait');
  });

  test('a burst larger than the in-flight limit is answered in full', async () => {
    const count = 500;
    for (let i = 0; i < count; i += 1) send('echo', { do: 'wait', ms: 1 });
    for (let i = 0; i < count; i += 1) expect(await client.next()).toContain('wait');
  });

  test('with no route and no $default the client hears Forbidden', async () => {
    const templates = ['DefaultRoute', 'DefaultRouteResponse'].reduce(
      (rest, id) => withResource(rest, 'Realtime', id, undefined),
      exampleTemplates,
    );
    const bare = await startTestGateway({ templates });
    const lost = await connectClient(`${bare.streamingUrl}?token=good`);
    lost.socket.send('{"messageType":"nobody"}');
    expect(JSON.parse(await lost.next())).toEqual({
      message: 'Forbidden',
      connectionId: expect.any(String),
      requestId: expect.any(String),
    });
    expect(lost.socket.readyState).toBe(lost.socket.OPEN);
    await bare.close();
  });
});
