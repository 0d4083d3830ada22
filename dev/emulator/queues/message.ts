import { createHash } from 'node:crypto';

/** A message in a queue. */
export interface Message {
  readonly id: string;
  readonly body: string;
  /** FIFO only. */
  readonly groupId?: string;
  /** FIFO only. */
  readonly deduplicationId?: string;
  /** FIFO only: 20 digits, ascending. */
  readonly sequenceNumber?: string;
  /** Unix milliseconds. */
  readonly sentAt: number;
  /** The sender's `X-Amzn-Trace-Id`. */
  readonly traceHeader?: string | undefined;
}

/** A message as a consumer gets it. */
export interface ReceivedMessage extends Message {
  /** Deletes the message. Each receive has a new one. */
  readonly receiptHandle: string;
  /** Number of receives, including this one. */
  readonly receiveCount: number;
  /** Unix milliseconds of the first time. */
  readonly firstReceivedAt: number;
}

/** A message from a sender. */
export interface OutgoingMessage {
  readonly body: string;
  readonly groupId?: string | undefined;
  readonly deduplicationId?: string | undefined;
  readonly traceHeader?: string | undefined;
}

/** The answer to a sender. */
export interface SentMessage {
  readonly id: string;
  readonly sequenceNumber?: string;
}

/** The system attributes of a received message, by the names SQS and Lambda share; all values are strings. */
export function systemAttributes(message: ReceivedMessage): Record<string, string> {
  return {
    ApproximateReceiveCount: String(message.receiveCount),
    SentTimestamp: String(message.sentAt),
    SenderId: 'local',
    ApproximateFirstReceiveTimestamp: String(message.firstReceivedAt),
    ...(message.sequenceNumber !== undefined && { SequenceNumber: message.sequenceNumber }),
    ...(message.groupId !== undefined && { MessageGroupId: message.groupId }),
    ...(message.deduplicationId !== undefined && { MessageDeduplicationId: message.deduplicationId }),
    ...(message.traceHeader !== undefined && { AWSTraceHeader: message.traceHeader }),
  };
}

/** The hash of a body in SQS's answers, which clients check: MD5 in hex. */
export function md5(text: string): string {
  return createHash('md5').update(text).digest('hex');
}
