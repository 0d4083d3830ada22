import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  FirehoseClient,
  InvalidArgumentException,
  PutRecordBatchCommand,
  PutRecordCommand,
  ResourceNotFoundException,
} from '@aws-sdk/client-firehose';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readModel } from '../template/resolve.ts';
import { clientOptions, startServices } from '../testing/services.ts';
import { openFirehose, readDeliveryStreams } from './service.ts';

let directory: string;
let firehose: ReturnType<typeof openFirehose>;
let services: Awaited<ReturnType<typeof startServices>>;
let client: FirehoseClient;
let log: string[];
beforeAll(async () => {
  log = [];
  directory = mkdtempSync(join(tmpdir(), 'flagwire-firehose-'));
  firehose = openFirehose(['Insight', 'Full'], directory, { maxFileBytes: 40, log: (line) => log.push(line) });
  services = await startServices(firehose.service);
  client = new FirehoseClient(clientOptions(services.url));
});
afterAll(async () => {
  client.destroy();
  await services.close();
  firehose.close();
  rmSync(directory, { recursive: true });
});

const data = (text: string) => ({ Data: Buffer.from(text) });
const put = (DeliveryStreamName: string, ...texts: string[]) =>
  client.send(new PutRecordBatchCommand({ DeliveryStreamName, Records: texts.map(data) }));

test('refuses a template whose stream processes records', () => {
  const read = (ProcessingConfiguration: object) => {
    const ExtendedS3DestinationConfiguration = { ProcessingConfiguration };
    const Properties = { DeliveryStreamName: 'Insight', ExtendedS3DestinationConfiguration };
    const Stream = { Type: 'AWS::KinesisFirehose::DeliveryStream', Properties };
    const addresses = { gatewayUrl: '', serviceUrl: '', streamArn: () => '' };
    return readDeliveryStreams(readModel({ S: { Resources: { Stream } } }, addresses));
  };
  expect(read({ Enabled: false })).toHaveLength(1);
  expect(() => read({ Enabled: true })).toThrow('S/Stream: the emulator does not process records');
});

describe('Firehose with the real SDK', () => {
  test('acknowledged records are in the file, one behind the other', async () => {
    const single = new PutRecordCommand({ DeliveryStreamName: 'Insight', Record: data('{"a":1}\n') });
    expect((await client.send(single)).RecordId).toEqual(expect.any(String));
    const answer = await put('Insight', '{"ü":2}\n', '{"c":3}\n');
    expect([answer.FailedPutCount, answer.RequestResponses?.length]).toEqual([0, 2]);
    expect(readFileSync(join(directory, 'Insight.ndjson'), 'utf8')).toBe('{"a":1}\n{"ü":2}\n{"c":3}\n');
  });

  test('a full file is put aside in place of the one before, and the log says once that records are deleted', async () => {
    const kept = () => ['Full.ndjson.1', 'Full.ndjson'].map((name) => readFileSync(join(directory, name), 'utf8'));
    for (const text of ['a', 'b']) await put('Full', text.repeat(30));
    expect([kept(), log]).toEqual([['a'.repeat(30), 'b'.repeat(30)], []]);
    for (const text of ['c', 'd']) await put('Full', text.repeat(30));
    await put('Full', 'd'.repeat(10));
    expect(kept()).toEqual(['c'.repeat(30), 'd'.repeat(40)]);
    expect(log).toEqual(['firehose Full: two files of 40 bytes are kept; older records are deleted from now on']);
    await put('Full', 'e'.repeat(50));
    expect(kept()).toEqual(['d'.repeat(40), 'e'.repeat(50)]);
  });

  test('unknown streams and oversized batches are refused', async () => {
    await expect(put('Nowhere', 'x')).rejects.toBeInstanceOf(ResourceNotFoundException);
    await expect(put('Insight', 'x'.repeat(1000 * 1024 + 1))).rejects.toBeInstanceOf(InvalidArgumentException);
    await expect(put('Insight', ...Array.from({ length: 501 }, () => 'x'))).rejects.toThrow('1 to 500 records');
  });
});
