import { AwsError, exceptionName } from '../endpoint/awsError.ts';
import { sqsMaxBytes } from './definition.ts';
import { md5, type OutgoingMessage } from './message.ts';
import type { Queue } from './queue.ts';

type Input = Record<string, unknown>;

/** `SendMessage`. @returns the answer of SQS @throws AwsError if the queue refuses the message */
export function sendOne(queue: Queue, input: Input, traceHeader: string | undefined) {
  const message = readMessage(input);
  check(queue, input, message);
  const { id, sequenceNumber } = queue.send({ ...message, traceHeader });
  return {
    MessageId: id,
    MD5OfMessageBody: md5(message.body),
    ...(sequenceNumber !== undefined && { SequenceNumber: sequenceNumber }),
  };
}

/**
 * `SendMessageBatch`: each entry succeeds or fails for itself.
 *
 * @throws AwsError when the batch as a whole is not acceptable (empty, too many, too large, ids not distinct).
 */
export function sendBatch(queue: Queue, entries: readonly Input[], traceHeader: string | undefined): unknown {
  const ids = entries.map((entry) => String(entry['Id']));
  const bytes = entries.reduce((sum, entry) => sum + Buffer.byteLength(readMessage(entry).body), 0);
  if (entries.length === 0) throw batchError('EmptyBatchRequest', 'There should be at least one entry in the batch.');
  if (entries.length > 10) {
    throw batchError('TooManyEntriesInBatchRequest', `A batch holds at most 10 entries, not ${entries.length}.`);
  }
  if (new Set(ids).size < ids.length) throw batchError('BatchEntryIdsNotDistinct', 'Two entries have the same Id.');
  if (bytes > sqsMaxBytes) {
    throw batchError('BatchRequestTooLong', `The batch is ${bytes} bytes; the limit is ${sqsMaxBytes}.`);
  }
  const successful: unknown[] = [];
  const failed: unknown[] = [];
  for (const [index, entry] of entries.entries()) {
    const Id = ids[index];
    try {
      successful.push({ Id, ...sendOne(queue, entry, traceHeader) });
    } catch (error) {
      if (!(error instanceof AwsError)) throw error;
      failed.push({ Id, SenderFault: true, Code: exceptionName(error), Message: error.message });
    }
  }
  return { Successful: successful, Failed: failed };
}

function readMessage(input: Input): OutgoingMessage {
  const text = (name: string) => (input[name] === undefined ? undefined : String(input[name]));
  return {
    body: text('MessageBody') ?? '',
    groupId: text('MessageGroupId'),
    deduplicationId: text('MessageDeduplicationId'),
  };
}

function check(queue: Queue, input: Input, message: OutgoingMessage): void {
  const { definition } = queue;
  const bytes = Buffer.byteLength(message.body);
  if (bytes === 0) throw new AwsError('MissingParameter', 'The request must contain the parameter MessageBody.');
  if (bytes > definition.maxMessageBytes) {
    const text = `One or more parameters are invalid. Reason: Message must be shorter than ${definition.maxMessageBytes} bytes.`;
    throw new AwsError('InvalidParameterValue', text);
  }
  if (input['MessageAttributes'] !== undefined || input['DelaySeconds'] !== undefined) {
    throw new AwsError('UnsupportedOperation', 'The emulator has no message attributes and no delays');
  }
  if (!definition.fifo) return;
  if (message.groupId === undefined) {
    throw new AwsError('MissingParameter', 'The request must contain the parameter MessageGroupId.');
  }
  if (message.deduplicationId === undefined) {
    const text =
      'The queue should either have ContentBasedDeduplication enabled or MessageDeduplicationId provided explicitly';
    throw new AwsError('InvalidParameterValue', text);
  }
}

function batchError(type: string, message: string): AwsError {
  return new AwsError(type, message, { queryCode: `AWS.SimpleQueueService.${type}` });
}
