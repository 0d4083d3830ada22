import { expect, test } from '@jest/globals';
import { connectClient, refusal, startTestGateway } from '../testing/gateway.ts';
import { lambdaIntegration, route } from '../testing/resources.ts';
import { exampleTemplates, withProperties, withResource } from '../testing/templates.ts';

const withRoute = (properties: ReturnType<typeof route> | undefined) =>
  withResource(exampleTemplates, 'Realtime', 'ConnectRoute', properties);

test('a $connect route whose status is an error refuses with this status', async () => {
  const RequestTemplates = { $default: '{"statusCode":429}' };
  const withMock = withRoute(route('$connect', 'ConnectMock'));
  const templates = withProperties(withMock, 'Realtime', 'ConnectMock', { RequestTemplates });
  const gateway = await startTestGateway({ templates });
  expect((await refusal(gateway.streamingUrl)).status).toBe(429);
  await gateway.close();
});

test('a $connect route with a function is not emulated', async () => {
  const integration = lambdaIntegration('EchoFn');
  const templates = withResource(withRoute(route('$connect', 'Connect')), 'Realtime', 'Connect', integration);
  await expect(startTestGateway({ templates })).rejects.toThrow('no function for $connect but an authorizer');
});

test('without a $connect route everyone is accepted, and events have no authorizer', async () => {
  const gateway = await startTestGateway({ templates: withRoute(undefined) });
  const client = await connectClient(gateway.streamingUrl);
  client.socket.send('{"messageType":"ping"}');
  expect(await client.next()).toContain('pong');
  client.socket.send('{"messageType":"echo"}');
  const { requestContext } = JSON.parse(await client.next()) as { requestContext: object };
  expect(requestContext).not.toHaveProperty('authorizer');
  await gateway.close();
});
