import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { connectClient, refusal, startTestGateway, type TestGateway } from '../testing/gateway.ts';
import { callableFor, fn, lambdaIntegration, route } from '../testing/resources.ts';
import { exampleTemplates, withResource } from '../testing/templates.ts';

const withFunction = (
  [
    ['ConnectFn', fn('connect.ts')],
    ['ConnectCallable', callableFor('ConnectFn', 'Ws', '/streaming/$connect')],
    ['ConnectLambda', lambdaIntegration('ConnectFn')],
    ['ConnectRoute', route('$connect', 'ConnectLambda')],
  ] as const
).reduce((templates, [id, resource]) => withResource(templates, 'Realtime', id, resource), exampleTemplates);

describe('a $connect route with a function and no authorizer', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway({ templates: withFunction });
  });
  afterAll(() => gateway.close());

  test.each([
    ['403', 403],
    ['429', 429],
    ['throw', 502],
    ['nonsense', 502],
  ])('%s refuses with %i', async (token, status) => {
    expect((await refusal(`${gateway.streamingUrl}?token=${token}`)).status).toBe(status);
  });

  test('200 accepts, and events have no authorizer', async () => {
    const client = await connectClient(`${gateway.streamingUrl}?token=200`);
    client.socket.send('{"messageType":"echo"}');
    const { requestContext } = JSON.parse(await client.next()) as { requestContext: object };
    expect(requestContext).not.toHaveProperty('authorizer');
  });
});

test('without a $connect route everyone is accepted', async () => {
  const templates = withResource(exampleTemplates, 'Realtime', 'ConnectRoute', undefined);
  const gateway = await startTestGateway({ templates });
  const client = await connectClient(gateway.streamingUrl);
  client.socket.send('{"messageType":"ping"}');
  expect(await client.next()).toContain('pong');
  await gateway.close();
});
