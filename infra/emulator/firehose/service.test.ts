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
import { clientOptions, startServices } from '../testing/services.ts';
import type { Firehose } from './service.ts';
import { openFirehose } from './service.ts';

let directory: string;
let firehose: Firehose;
let services: Awaited<ReturnType<typeof startServices>>;
let client: FirehoseClient;
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'flagwire-firehose-'));
  firehose = openFirehose(
    [
      { name: 'Insight', appendsDelimiter: false },
      { name: 'Delimited', appendsDelimiter: true },
    ],
    directory,
  );
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

describe('Firehose with the real SDK', () => {
  test('acknowledged records are in the file, one behind the other', async () => {
    const single = new PutRecordCommand({ DeliveryStreamName: 'Insight', Record: data('{"a":1}\n') });
    expect((await client.send(single)).RecordId).toEqual(expect.any(String));
    const answer = await put('Insight', '{"ü":2}\n', '{"c":3}\n');
    expect([answer.FailedPutCount, answer.RequestResponses?.length]).toEqual([0, 2]);
    expect(readFileSync(join(directory, 'Insight.ndjson'), 'utf8')).toBe('{"a":1}\n{"ü":2}\n{"c":3}\n');
  });

  test('a stream that appends delimiters does', async () => {
    await put('Delimited', 'a', 'b');
    expect(readFileSync(join(directory, 'Delimited.ndjson'), 'utf8')).toBe('a\nb\n');
  });

  test('unknown streams and oversized batches are refused', async () => {
    await expect(put('Nowhere', 'x')).rejects.toBeInstanceOf(ResourceNotFoundException);
    await expect(put('Insight', 'x'.repeat(1000 * 1024 + 1))).rejects.toBeInstanceOf(InvalidArgumentException);
    await expect(put('Insight', ...Array.from({ length: 501 }, () => 'x'))).rejects.toThrow('1 to 500 records');
  });
});
