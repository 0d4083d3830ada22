import {
  ApiGatewayManagementApiClient,
  DeleteConnectionCommand,
  GetConnectionCommand,
  GoneException,
  LimitExceededException,
  PayloadTooLargeException,
  PostToConnectionCommand,
} from '@aws-sdk/client-apigatewaymanagementapi';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { TestClient, TestGateway } from '../testing/gateway.ts';
import { connectClient, startTestGateway } from '../testing/gateway.ts';

let gateway: TestGateway;
let sdk: ApiGatewayManagementApiClient;
beforeAll(async () => {
  gateway = await startTestGateway();
  sdk = new ApiGatewayManagementApiClient({
    endpoint: `${gateway.url}/streaming`,
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    maxAttempts: 1,
  });
});
afterAll(async () => {
  sdk.destroy();
  await gateway.close();
});

async function open(): Promise<{ client: TestClient; ConnectionId: string }> {
  const known = new Set(gateway.webSocket.connections.keys());
  const client = await connectClient(`${gateway.streamingUrl}?token=good`, { headers: { 'User-Agent': 'probe/1' } });
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

  test('a connection describes itself', async () => {
    const { ConnectionId } = await open();
    const answer = await sdk.send(new GetConnectionCommand({ ConnectionId }));
    expect(answer.Identity).toEqual({ SourceIp: '127.0.0.1', UserAgent: 'probe/1' });
    expect(answer.ConnectedAt).toBeInstanceOf(Date);
    expect(Number(answer.LastActiveAt)).toBeGreaterThanOrEqual(Number(answer.ConnectedAt));
  });

  test('deleting closes with 1000, and what is gone is GoneException', async () => {
    const { client, ConnectionId } = await open();
    const answer = await sdk.send(new DeleteConnectionCommand({ ConnectionId }));
    expect(answer.$metadata.httpStatusCode).toBe(204);
    expect((await client.closed).code).toBe(1000);
    await expect(post(ConnectionId, 'late')).rejects.toBeInstanceOf(GoneException);
    await expect(post('AAAAAAAAAAAAAAA=', 'x')).rejects.toBeInstanceOf(GoneException);
    await expect(sdk.send(new GetConnectionCommand({ ConnectionId }))).rejects.toBeInstanceOf(GoneException);
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
    expect([answer.status, answer.headers.get('x-amzn-errortype')]).toEqual([403, 'ForbiddenException']);
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
