import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { connectClient, refusal, startTestGateway, type TestGateway } from '../testing/gateway.ts';
import { whenReceived } from '../testing/handlers/received.ts';
import { exampleTemplates, withThrottled } from '../testing/templates.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.close());

const withToken = (token: string) => `${gateway.streamingUrl}?type=client&token=${token}`;
const message = (body: string) => (JSON.parse(body) as { message: string }).message;

describe('WebSocket handshake', () => {
  test.each([
    ['no identity source', '', 401, 'Unauthorized'],
    ['an empty one', '?token=', 401, 'Unauthorized'],
    ['the authorizer throwing Unauthorized', '?token=unauthorized', 401, 'Unauthorized'],
    [
      'the authorizer denying',
      '?token=deny',
      403,
      'User is not authorized to access this resource with an explicit deny',
    ],
    ['the authorizer failing', '?token=crash', 500, 'Internal server error'],
    ['the authorizer answering nonsense', '?token=malformed', 500, 'Internal server error'],
  ])('is refused for %s', async (_name, query, status, text) => {
    const answer = await refusal(gateway.streamingUrl + query);
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.body)).toEqual({
      message: text,
      connectionId: expect.stringMatching(/^[\w-]{15}=$/),
      requestId: expect.stringMatching(/^[\w-]{15}=$/),
    });
  });

  test('is refused for an authorizer that is throttled', async () => {
    const other = await startTestGateway({ templates: withThrottled(exampleTemplates, 'Realtime', 'AuthorizerFn') });
    const answer = await refusal(`${other.streamingUrl}?token=good`);
    expect([answer.status, message(answer.body)]).toEqual([500, 'Internal server error']);
    await other.close();
  });

  test('is refused at another path, and asked for without an upgrade', async () => {
    const elsewhere = await refusal(gateway.streamingUrl.replace('/streaming', '/elsewhere?token=x'));
    expect([elsewhere.status, message(elsewhere.body)]).toEqual([403, 'Forbidden']);
    expect((await fetch(`${gateway.url}/streaming?token=x`)).status).toBe(426);
  });

  test('agrees to no extension and no sub-protocol', async () => {
    const { socket, closed } = await connectClient(withToken('good'));
    expect(socket.extensions).toBe('');
    socket.close();
    await closed;
    await expect(
      new Promise((resolve, reject) => {
        const asking = new (socket.constructor as typeof import('ws').WebSocket)(withToken('good'), ['mqtt']);
        asking.on('open', resolve).on('error', reject);
      }),
    ).rejects.toThrow('Server sent no subprotocol');
  });

  test('the authorizer’s context arrives with every event, as strings', async () => {
    const client = await connectClient(withToken('good'), { 'User-Agent': 'probe/1' });
    client.socket.send(JSON.stringify({ messageType: 'echo' }));
    const { requestContext } = JSON.parse(await client.next()) as { requestContext: Record<string, unknown> };
    const authorizer = {
      principalId: 'user',
      envId: 'env-of-good',
      type: 'server',
      shard: '7',
      canary: 'true',
      integrationLatency: expect.any(Number),
    };
    expect(requestContext['authorizer']).toEqual(authorizer);
    expect(requestContext['identity']).toEqual({ sourceIp: '127.0.0.1', userAgent: 'probe/1' });
    client.socket.close(4001, 'bye');
    const [event] = await whenReceived<{ requestContext: Record<string, unknown> }>(
      'disconnect',
      1,
      (noted) => noted.requestContext['connectionId'] === requestContext['connectionId'],
    );
    expect(event?.requestContext).toMatchObject({
      authorizer,
      routeKey: '$disconnect',
      eventType: 'DISCONNECT',
      disconnectStatusCode: 4001,
      disconnectReason: 'bye',
      connectedAt: requestContext['connectedAt'],
    });
  });
});
