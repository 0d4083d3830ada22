import { randomUUID } from 'node:crypto';
import { closeSync, existsSync, fstatSync, mkdirSync, openSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { AwsError } from '../endpoint/awsError.ts';
import type { AwsJsonService } from '../endpoint/awsJson.ts';
import { type Log, logToStderr } from '../log.ts';
import { arn } from '../template/account.ts';
import type { Model } from '../template/resolve.ts';

/** The names of all delivery streams. @throws Error naming a stream that processes its records */
export function readDeliveryStreams(model: Model): string[] {
  return model.resources('AWS::KinesisFirehose::DeliveryStream').map((stream) => {
    if (stream.property('ExtendedS3DestinationConfiguration', 'ProcessingConfiguration', 'Enabled') === true)
      throw new Error(`${stream.path}: the emulator does not process records`);
    return stream.value();
  });
}

/** Largest record before base64, in bytes. */
const maxRecordBytes = 1000 * 1024;
/** Most records of one batch, and most bytes. */
const maxBatch = { records: 500, bytes: 4 * 1024 * 1024 };

/** Size of a stream's file above which it is put aside, in place of the one put aside before it. */
const MAX_FILE_BYTES = 64 * 1024 * 1024;

interface Destination {
  readonly name: string;
  readonly path: string;
  file: number;
  bytes: number;
  /** True if the log has said that records are deleted. */
  hasLost: boolean;
}

/**
 * Emulates Firehose with a file `<directory>/<stream>.ndjson` for each delivery stream, in place of a bucket. A record is
 * acknowledged after it is written. A full file replaces `<stream>.ndjson.1`: a stream has at most two files of `maxFileBytes`.
 */
export function openFirehose(
  names: readonly string[],
  directory: string,
  { maxFileBytes = MAX_FILE_BYTES, log = logToStderr }: { maxFileBytes?: number; log?: Log } = {},
): { readonly service: AwsJsonService; close(): void } {
  mkdirSync(directory, { recursive: true });
  const destinations = new Map(
    names.map((name): [string, Destination] => {
      const path = join(directory, `${name}.ndjson`);
      const file = openSync(path, 'a');
      return [name, { name, path, file, bytes: fstatSync(file).size, hasLost: false }];
    }),
  );

  const destinationOf = (input: Record<string, unknown>): Destination => {
    const name = String(input['DeliveryStreamName']);
    const destination = destinations.get(name);
    if (!destination) throw new AwsError('ResourceNotFoundException', `Firehose ${name} under account not found.`);
    return destination;
  };

  function deliver(destination: Destination, records: readonly Buffer[]): { RecordId: string }[] {
    const bytes = Buffer.concat(records);
    if (destination.bytes > 0 && destination.bytes + bytes.length > maxFileBytes) putAside(destination);
    writeSync(destination.file, bytes);
    destination.bytes += bytes.length;
    return records.map(() => ({ RecordId: randomUUID() }));
  }

  function putAside(destination: Destination): void {
    const { path, name } = destination;
    const aside = `${path}.1`;
    if (existsSync(aside) && !destination.hasLost) {
      destination.hasLost = true;
      log(`firehose ${name}: two files of ${maxFileBytes} bytes are kept; older records are deleted from now on`);
    }
    renameSync(path, aside);
    closeSync(destination.file);
    destination.file = openSync(path, 'a');
    destination.bytes = 0;
  }

  return {
    service: {
      target: 'Firehose_20150804',
      contentType: 'application/x-amz-json-1.1',
      operations: {
        PutRecord: (input) => deliver(destinationOf(input), [dataOf(input['Record'])])[0],
        PutRecordBatch: (input) => {
          const destination = destinationOf(input);
          const records = ((input['Records'] ?? []) as unknown[]).map(dataOf);
          const bytes = records.reduce((sum, record) => sum + record.length, 0);
          if (records.length === 0 || records.length > maxBatch.records || bytes > maxBatch.bytes) {
            const text = `A batch holds 1 to ${maxBatch.records} records and ${maxBatch.bytes} bytes, not ${records.length} and ${bytes}`;
            throw new AwsError('InvalidArgumentException', text);
          }
          return { FailedPutCount: 0, Encrypted: false, RequestResponses: deliver(destination, records) };
        },
      },
      accessRequests: (operation, input) => [
        {
          action: `firehose:${operation}`,
          resource: arn('firehose', `deliverystream/${String(input['DeliveryStreamName'])}`),
        },
      ],
    },
    close: () => {
      for (const { file } of destinations.values()) closeSync(file);
    },
  };
}

function dataOf(record: unknown): Buffer {
  const data = Buffer.from(String((record as { Data?: unknown } | undefined)?.Data ?? ''), 'base64');
  if (data.length > maxRecordBytes) {
    throw new AwsError('InvalidArgumentException', `A record is ${data.length} bytes; the limit is ${maxRecordBytes}`);
  }
  return data;
}
