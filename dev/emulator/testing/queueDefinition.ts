import { type QueueDefinition, sqsMaxBytes } from '../queues/definition.ts';
import { arn } from '../template/account.ts';

/** A standard queue's definition, with changes. */
export function queueDefinition(name: string, changes: Partial<QueueDefinition> = {}): QueueDefinition {
  return {
    name,
    arn: arn('sqs', name),
    fifo: false,
    deduplicationScope: 'queue',
    visibilityTimeoutMs: 30_000,
    retentionMs: 4 * 24 * 60 * 60 * 1000,
    maxMessageBytes: sqsMaxBytes,
    ...changes,
  };
}

/** A FIFO queue's definition, as high throughput has it, with changes. */
export function fifoDefinition(name: string, changes: Partial<QueueDefinition> = {}): QueueDefinition {
  return queueDefinition(name, { fifo: true, deduplicationScope: 'messageGroup', ...changes });
}
