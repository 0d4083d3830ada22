import {
  ApiGatewayManagementApiClient,
  DeleteConnectionCommand,
  GoneException,
  LimitExceededException,
  PayloadTooLargeException,
  PostToConnectionCommand,
} from '@aws-sdk/client-apigatewaymanagementapi';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { until } from '../../../shared/testing/until.ts';
import { awsProfiles } from '../awsProfiles.ts';
import { newAccessKey } from '../iam/identities.ts';
import { connectClient, startTestGateway, type TestClient, type TestGateway } from '../testing/gateway.ts';
import { manualClock } from '../testing/manualClock.ts';
import { clientOptions } from '../testing/services.ts';

let gateway: TestGateway;
let sdk: ApiGatewayManagementApiClient;
beforeAll(async () => {
  gateway = await startTestGateway();
  sdk = new ApiGatewayManagementApiClient(clientOptions(`${gateway.url}/streaming`));
});
afterAll(async () => {
  sdk.destroy();
  await gateway.close();
});

async function open(): Promise<{ client: TestClient; ConnectionId: string }> {
  const known = new Set(gateway.webSocket.connections.keys());
  const client = await connectClient(`${gateway.streamingUrl}?token=good`, { 'User-Agent': 'probe/1' });
  const ConnectionId = [...gateway.webSocket.connections.keys()].find((id) => !known.has(id)) ?? '';
  return { client, ConnectionId };
}

const post = (ConnectionId: string, Data: string) => sdk.send(new PostToConnectionCommand({ ConnectionId, Data }));

describe('@connections with the real SDK', () => {
  test('posts reach the client, in order', async () => {
    const { client, ConnectionId } = await open();
    await post(ConnectionId, 'one');
    await post(ConnectionId, 'zwei ü');
    expect([await client.next(), await client.next()]).toEqual(['one', 'zwei ü']);
  });

  test('deleting closes with 1000, and what is gone is GoneException', async () => {
    const { client, ConnectionId } = await open();
    const answer = await sdk.send(new DeleteConnectionCommand({ ConnectionId }));
    expect(answer.$metadata.httpStatusCode).toBe(204);
    expect((await client.closed).code).toBe(1000);
    await expect(post(ConnectionId, 'late')).rejects.toBeInstanceOf(GoneException);
    await expect(post('AAAAAAAAAAAAAAA=', 'x')).rejects.toBeInstanceOf(GoneException);
  });

  test('128 KB pass, one byte more is PayloadTooLargeException', async () => {
    const { client, ConnectionId } = await open();
    await post(ConnectionId, 'x'.repeat(128 * 1024));
    expect(await client.next()).toHaveLength(128 * 1024);
    await expect(post(ConnectionId, 'x'.repeat(128 * 1024 + 1))).rejects.toBeInstanceOf(PayloadTooLargeException);
  });

  test('a malformed id is BadRequestException', async () => {
    await expect(post('no such id', 'x')).rejects.toMatchObject({
      name: 'BadRequestException',
      message: 'Invalid connectionId: no such id',
      $metadata: { httpStatusCode: 400 },
    });
  });

  test('an unsigned request is forbidden', async () => {
    const { ConnectionId } = await open();
    const url = `${gateway.url}/streaming/@connections/${encodeURIComponent(ConnectionId)}`;
    const answer = await fetch(url, { method: 'POST', body: 'x' });
    expect([answer.status, answer.headers.get('x-amzn-errortype')]).toEqual([
      403,
      'MissingAuthenticationTokenException',
    ]);
  });

  test.each([
    ['another access key', newAccessKey, 'UnrecognizedClientException'],
    ['another secret', () => ({ secretAccessKey: 'guessed' }), 'InvalidSignatureException'],
  ])('a request by %s reaches nobody', async (_, other, name) => {
    const { client, ConnectionId } = await open();
    const options = clientOptions(`${gateway.url}/streaming`);
    const credentials = { ...options.credentials, ...other() };
    const stranger = new ApiGatewayManagementApiClient({ ...options, credentials });
    for (const command of [
      new PostToConnectionCommand({ ConnectionId, Data: 'x' }),
      new DeleteConnectionCommand({ ConnectionId }),
    ]) {
      const sent = stranger.send(command as PostToConnectionCommand);
      await expect(sent).rejects.toMatchObject({ name, $metadata: { httpStatusCode: 403 } });
    }
    stranger.destroy();
    await post(ConnectionId, 'own');
    expect(await client.next()).toBe('own');
  });

  test('past the account’s requests a post is LimitExceededException, whether its connection is there or not', async () => {
    const aws = { ...awsProfiles.default, requests: { perSecond: 0, burst: 2 }, managementMs: 0 };
    const other = await startTestGateway({ aws });
    const client = new ApiGatewayManagementApiClient(clientOptions(`${other.url}/streaming`));
    await connectClient(`${other.streamingUrl}?token=good`);
    const [ConnectionId = ''] = other.webSocket.connections.keys();
    const postThere = (id: string) => client.send(new PostToConnectionCommand({ ConnectionId: id, Data: 'x' }));
    await postThere(ConnectionId);
    for (const id of [ConnectionId, 'AAAAAAAAAAAAAAA=']) {
      await expect(postThere(id)).rejects.toMatchObject({
        name: 'LimitExceededException',
        message: 'Too Many Requests',
        $metadata: { httpStatusCode: 429 },
      });
    }
    client.destroy();
    await other.close();
  });

  test('a request takes its time, and a connection that closes meanwhile is gone', async () => {
    const clock = manualClock();
    const other = await startTestGateway({ clock });
    const client = new ApiGatewayManagementApiClient(clientOptions(`${other.url}/streaming`));
    const { socket, closed } = await connectClient(`${other.streamingUrl}?token=good`);
    const [ConnectionId = ''] = other.webSocket.connections.keys();
    const posted = client.send(new PostToConnectionCommand({ ConnectionId, Data: 'x' })).catch((error: Error) => error);
    socket.close();
    await closed;
    await until(() => other.webSocket.connections.size === 0);
    await until(async () => {
      clock.advance(awsProfiles.default.managementMs);
      return Promise.race([posted, new Promise((resolve) => setTimeout(resolve, 5))]);
    });
    expect(await posted).toBeInstanceOf(GoneException);
    client.destroy();
    await other.close();
  });

  test('a client that does not read becomes LimitExceededException', async () => {
    const { client, ConnectionId } = await open();
    client.socket.pause();
    const flood = async () => {
      for (let i = 0; i < 1000; i += 1) await post(ConnectionId, 'x'.repeat(128 * 1024));
    };
    await expect(flood()).rejects.toBeInstanceOf(LimitExceededException);
    client.socket.terminate();
  });
});
