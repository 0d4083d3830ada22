import type { Model } from '../template/resolve.ts';

/** An SQS queue as the templates describe it. */
export interface QueueDefinition {
  readonly name: string;
  readonly arn: string;
  readonly fifo: boolean;
  /** FIFO: the SHA-256 of the body serves as deduplication id when the sender gives none. */
  readonly contentBasedDeduplication: boolean;
  /** FIFO: what a deduplication id must be unique within. */
  readonly deduplicationScope: 'queue' | 'messageGroup';
  readonly visibilityTimeoutMs: number;
  readonly retentionMs: number;
  /** Largest message body, in bytes. */
  readonly maxMessageBytes: number;
  /** Dead-letter queue, and the number of receives before a message moves there. */
  readonly redrive?: { readonly queueArn: string; readonly maxReceiveCount: number };
}

/** The most SQS takes in one message, and in one batch of messages: 1 MiB. */
export const sqsMaxBytes = 1024 * 1024;

/** Reads every queue. @throws Error naming a queue with a delay, which the emulator does not offer. */
export function readQueues(model: Model): QueueDefinition[] {
  return model.resources('AWS::SQS::Queue').map((queue) => {
    const seconds = (property: string, otherwise: number) => Number(queue.property(property) ?? otherwise) * 1000;
    const redrive = queue.property('RedrivePolicy') as Record<string, unknown> | undefined;
    if (seconds('DelaySeconds', 0) > 0) throw new Error(`${queue.path}: the emulator has no delayed messages`);
    return {
      name: queue.value('QueueName'),
      arn: queue.value('Arn'),
      fifo: queue.property('FifoQueue') === true,
      contentBasedDeduplication: queue.property('ContentBasedDeduplication') === true,
      deduplicationScope: queue.property('DeduplicationScope') === 'messageGroup' ? 'messageGroup' : 'queue',
      visibilityTimeoutMs: seconds('VisibilityTimeout', 30),
      retentionMs: seconds('MessageRetentionPeriod', 4 * 24 * 60 * 60),
      maxMessageBytes: Number(queue.property('MaximumMessageSize') ?? sqsMaxBytes),
      ...(redrive && {
        redrive: {
          queueArn: String(redrive['deadLetterTargetArn']),
          maxReceiveCount: Number(redrive['maxReceiveCount']),
        },
      }),
    };
  });
}
