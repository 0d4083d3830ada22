import type { Model } from '../template/resolve.ts';

/** An SQS queue as the templates describe it. */
export type QueueDefinition = Readonly<ReturnType<typeof readQueues>[number]>;

/** The most SQS takes in one message, and in one batch of messages: 1 MiB. */
export const sqsMaxBytes = 1024 * 1024;

/** Reads every queue. @throws Error naming a queue with a setting that the emulator does not offer */
export function readQueues(model: Model) {
  return model.resources('AWS::SQS::Queue').map((queue) => {
    const seconds = (property: string, otherwise: number) => Number(queue.property(property) ?? otherwise) * 1000;
    const redrive = queue.property('RedrivePolicy') as Record<string, unknown> | undefined;
    if (seconds('DelaySeconds', 0) > 0) throw new Error(`${queue.path}: the emulator has no delayed messages`);
    if (queue.property('ContentBasedDeduplication') === true)
      throw new Error(`${queue.path}: the emulator has no deduplication by content`);
    return {
      name: queue.value('QueueName'),
      arn: queue.value('Arn'),
      fifo: queue.property('FifoQueue') === true,
      /** FIFO: what a deduplication id must be unique within. */
      deduplicationScope: (queue.property('DeduplicationScope') ?? 'queue') as 'queue' | 'messageGroup',
      visibilityTimeoutMs: seconds('VisibilityTimeout', 30),
      retentionMs: seconds('MessageRetentionPeriod', 4 * 24 * 60 * 60),
      /** Largest message body, in bytes. */
      maxMessageBytes: Number(queue.property('MaximumMessageSize') ?? sqsMaxBytes),
      /** Dead-letter queue, and the number of receives before a message moves there. */
      ...(redrive && {
        redrive: {
          queueArn: String(redrive['deadLetterTargetArn']),
          maxReceiveCount: Number(redrive['maxReceiveCount']),
        },
      }),
    };
  });
}
