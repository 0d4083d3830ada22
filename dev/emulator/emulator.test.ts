import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { FirehoseClient, PutRecordCommand } from '@aws-sdk/client-firehose';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { DynamoDBStreamEvent, SQSRecord } from 'aws-lambda';
import { until } from '../../shared/testing/until.ts';
import { freePort } from '../support/freePort.ts';
import { type LocalOptions, type LocalStack, startLocal } from './emulator.ts';
import { connectClient } from './testing/gateway.ts';
import { forgetReceived, whenReceived } from './testing/handlers/received.ts';
import { allow, attribute, fn, ref, role } from './testing/resources.ts';
import { exampleTemplates, withResource } from './testing/templates.ts';

const log: string[] = [];
const start = (options: Partial<LocalOptions> = {}) =>
  startLocal({ templates: exampleTemplates, log: (line) => log.push(line), backOff: () => 1, ...options });

const directory = mkdtempSync(join(tmpdir(), 'flagwire-emulator-'));
afterAll(() => rmSync(directory, { recursive: true }));
afterEach(() => {
  log.length = 0;
  forgetReceived();
});

async function put(stack: LocalStack, pk: string, sk: string, kind?: string): Promise<void> {
  const client = new DynamoDBClient({ endpoint: stack.dynamoDbEndpoint });
  const item = { pk: { S: pk }, sk: { S: sk }, ...(kind && { kind: { S: kind } }) };
  await client.send(new PutItemCommand({ TableName: stack.tables.flags, Item: item }));
  client.destroy();
}

/** The answer to a request with a foreign `Host` header, as a browser may send it. */
async function statusBy(host: string, url: string, headers: Record<string, string> = {}): Promise<number | undefined> {
  const sent = request(url, { headers: { host, ...headers } }).end();
  const [response] = (await Promise.race([once(sent, 'response'), once(sent, 'upgrade')])) as [IncomingMessage];
  response.resume();
  response.socket.destroy();
  return response.statusCode;
}

const delivered = async (count: number) =>
  (await whenReceived<SQSRecord>('deliver', count)).map(({ body }) => (JSON.parse(body) as { key: string }).key);

describe('the emulator, set up from templates alone', () => {
  let stack: LocalStack;
  beforeAll(async () => {
    stack = await start();
  });
  afterAll(() => stack.close());

  test('serves the WebSocket API and the HTTP API on one port', async () => {
    const client = await connectClient(`${stack.streamingUrl}/streaming?token=good`);
    client.socket.send('{"messageType":"ping"}');
    expect(await client.next()).toBe('{"messageType":"pong","data":{}}');
    expect(await (await fetch(`${stack.httpUrl}/bare`)).json()).toEqual({ hello: 'world' });
    client.socket.close();
    await client.closed;
  });

  test('names its tables as the functions know them', () => {
    expect(stack.tables).toEqual({ flags: 'Data-Flags', connections: 'Data-Connections' });
    expect(stack.environment).toMatchObject({
      FLAGS_TABLE: 'Data-Flags',
      CONNECTIONS_ENDPOINT: `${stack.httpUrl}/streaming`,
      AWS_ENDPOINT_URL_DYNAMODB: stack.dynamoDbEndpoint,
    });
    expect(process.env['FLAGS_TABLE']).toBe('Data-Flags');
  });

  test('answers by names of this machine only, at each of its ports', async () => {
    const { AWS_ENDPOINT_URL_SQS: services = '' } = stack.environment;
    for (const url of [stack.httpUrl, `${stack.httpUrl}/streaming`, stack.dynamoDbEndpoint, services]) {
      expect([url, await statusBy('evil.example', url)]).toEqual([url, 403]);
      expect([url, await statusBy('localhost', url)]).not.toEqual([url, 403]);
    }
    const upgrade = { connection: 'upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' };
    const webSocket = { ...upgrade, 'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==' };
    const handshake = `${stack.httpUrl}/streaming?token=good`;
    expect(await statusBy('evil.example', handshake, webSocket)).toBe(403);
    expect(await statusBy('localhost', handshake, webSocket)).toBe(101);
  });

  test('a change travels from table to stream to queue to deliver, filtered and in order', async () => {
    await put(stack, 'ENV#1', 'a', 'flag');
    await put(stack, 'VERSION#1', '-');
    await put(stack, 'ENV#1', 'b', 'segment');
    await put(stack, 'ENV#1', 'c', 'flag');
    expect(await delivered(3)).toEqual(['a', 'b', 'c']);
    const events = await whenReceived<DynamoDBStreamEvent>('publish', 1);
    expect(events[0]?.Records[0]).toMatchObject({
      eventSource: 'aws:dynamodb',
      eventSourceARN: expect.stringContaining(':table/Data-Flags/stream/'),
      awsRegion: 'us-east-1',
    });
  });

  test('a poisoned change is set aside, and what is behind it arrives', async () => {
    await put(stack, 'ENV#1', 'poison', 'flag');
    await put(stack, 'ENV#1', 'behind', 'flag');
    expect(await delivered(1)).toEqual(['behind']);
    expect(log.join()).toContain('RetryAttemptsExhausted');
  });

  test('insight events are in a file when they are acknowledged', async () => {
    const firehose = new FirehoseClient({});
    const DeliveryStreamName = process.env['INSIGHT_STREAM'];
    await firehose.send(new PutRecordCommand({ DeliveryStreamName, Record: { Data: Buffer.from('{"x":1}\n') } }));
    firehose.destroy();
    expect(readFileSync(join(stack.insightDirectory, `${DeliveryStreamName}.ndjson`), 'utf8')).toBe('{"x":1}\n');
  });
});

test('a function that sends to the queue that calls it is called sixteen times, and no more', async () => {
  const queueArn = attribute('Loop', 'Arn');
  const rights = allow(
    queueArn,
    'sqs:SendMessage',
    'sqs:ReceiveMessage',
    'sqs:DeleteMessage',
    'sqs:GetQueueAttributes',
  );
  const Resources = {
    Role: role(rights),
    Loop: { Type: 'AWS::SQS::Queue' },
    LoopFn: fn('looping.ts', { LOOP_QUEUE_URL: ref('Loop') }),
    Mapping: {
      Type: 'AWS::Lambda::EventSourceMapping',
      Properties: { BatchSize: 1, EventSourceArn: queueArn, FunctionName: ref('LoopFn') },
    },
  };
  const stack = await start({ templates: { ...exampleTemplates, Loop: { Resources } }, backOff: () => 60_000 });
  const sqs = new SQSClient({});
  const QueueUrl = process.env['LOOP_QUEUE_URL'];
  await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: 'first' }));
  sqs.destroy();
  await until(() => log.join().includes('recursive loop'));
  expect(await whenReceived('looping', 16)).toHaveLength(16);
  await stack.close();
});

describe('starting and closing', () => {
  test('data is kept from one start to the next, and what was not published is published then', async () => {
    const broken = withResource(exampleTemplates, 'Push', 'PublishFn', {
      Type: 'AWS::Lambda::Function',
      Properties: { Handler: 'index.handler', Role: attribute('Role', 'Arn') },
      Metadata: { 'flagwire:entry': 'dev/emulator/testing/handlers/failing.ts' },
    });
    // One that systems give to nobody else meanwhile.
    writeFileSync(join(directory, 'dynamodb.port'), String(await freePort()));
    const first = await start({ dataDir: directory, templates: broken, backOff: () => 60_000 });
    await put(first, 'ENV#1', 'kept', 'flag');
    await whenReceived('failing', 1);
    await first.close();
    const second = await start({ dataDir: directory });
    expect(second.dynamoDbEndpoint).toBe(first.dynamoDbEndpoint);
    expect(second.environment['AWS_ACCESS_KEY_ID']).not.toBe(first.environment['AWS_ACCESS_KEY_ID']);
    expect(await delivered(1)).toEqual(['kept']);
    await put(second, 'ENV#1', 'new', 'flag');
    expect(await delivered(2)).toEqual(['kept', 'new']);
    await second.close();
  });

  test('a gateway that others reach answers by addresses and by the names that it is given, not by any other', async () => {
    const stack = await start({ host: '0.0.0.0', hostNames: ['mine.lan'] });
    const statusOf = (host: string) => statusBy(host, `${stack.httpUrl}/bare`);
    expect(await Promise.all(['192.168.1.5:1', 'mine.lan', 'evil.example'].map(statusOf))).toEqual([200, 200, 403]);
    await stack.close();
    const own = await start({ host: '127.0.0.1' });
    const ownStatus = (host: string) => statusBy(host, `${own.httpUrl}/bare`);
    expect(await Promise.all(['127.0.0.1', '192.168.1.5'].map(ownStatus))).toEqual([200, 403]);
    await own.close();
  });

  test('closing says 1001 to clients, runs $disconnect, restores the environment, and frees the port', async () => {
    const port = await freePort();
    const stack = await start({ port });
    const client = await connectClient(`${stack.streamingUrl}/streaming?token=good`);
    await Promise.all([stack.close(), stack.close()]);
    expect((await client.closed).code).toBe(1001);
    await whenReceived('disconnect', 1);
    expect(process.env['FLAGS_TABLE']).toBeUndefined();
    const again = await start({ port });
    expect(again.httpUrl).toBe(stack.httpUrl);
    await again.close();
  });

  test('a port in use is named, with the way out, and nothing stays behind', async () => {
    const other = createServer();
    const port = await freePort();
    await new Promise<void>((resolve) => other.listen(port, '127.0.0.1', resolve));
    await expect(start({ port })).rejects.toThrow(
      `Port ${port} on 127.0.0.1 is already in use; choose another with --port`,
    );
    await new Promise((resolve) => other.close(resolve));
    await (await start({ port })).close();
  });

  test.each([
    [
      'an integration it cannot serve',
      withResource(exampleTemplates, 'Realtime', 'PingMock', {
        Type: 'AWS::ApiGatewayV2::Integration',
        Properties: { ApiId: { Ref: 'Ws' }, IntegrationType: 'HTTP_PROXY' },
      }),
      'Realtime/PingMock: integration type "HTTP_PROXY" is not MOCK or AWS_PROXY',
    ],
    [
      'an event source it does not know',
      withResource(exampleTemplates, 'Push', 'Odd', {
        Type: 'AWS::Lambda::EventSourceMapping',
        Properties: { EventSourceArn: 'arn:aws:kinesis:us-east-1:0:stream/x' },
      }),
      'Push/Odd: the emulator has no event source "arn:aws:kinesis',
    ],
  ])('%s is named', async (_name, templates, message) => {
    await expect(start({ templates })).rejects.toThrow(message);
    expect(process.env['FLAGS_TABLE']).toBeUndefined();
  });
});
