import { type Clock, sleep } from '../clock.ts';
import type { FunctionRegistry } from '../lambda/registry.ts';
import { type Log, oneLine } from '../log.ts';
import { md5, type ReceivedMessage, systemAttributes } from '../queues/message.ts';
import type { Queue } from '../queues/queue.ts';
import { localRegion } from '../template/account.ts';
import type { QueueMapping } from './definition.ts';
import { type BackOff, failedItems, type Poller } from './streamPoller.ts';

/** Pause of a poller after a throttled batch. AWS slows its pollers down, and does not document by how much. */
const throttledPauseMs = 1_000;

/**
 * Starts sending a queue's messages to a function, in concurrent batches. Successful messages are deleted. Failed messages
 * return after their visibility timeout, with the rest of their group. So do the messages of a throttled batch, which count as
 * received.
 *
 * @param backOff delay of a failed message, in place of the visibility timeout
 */
export function startQueuePoller(
  mapping: QueueMapping,
  {
    functions,
    queue,
    clock,
    log,
    backOff,
  }: { functions: FunctionRegistry; queue: Queue; clock: Clock; log: Log; backOff?: BackOff | undefined },
): Poller {
  const running = new Set<Promise<void>>();
  const stopping = new AbortController();

  function fill(): void {
    while (!stopping.signal.aborted && running.size < mapping.maxConcurrency) {
      const batch = queue.receive(mapping.batchSize);
      if (batch.length === 0) return;
      const work = handle(batch).catch((error: unknown) => log(`event source ${mapping.path}: ${oneLine(error)}`));
      running.add(work);
      void work.then(() => {
        running.delete(work);
        fill();
      });
    }
  }

  async function handle(batch: readonly ReceivedMessage[]): Promise<void> {
    const event = { Records: batch.map((message) => toRecord(message, mapping.queueArn)) };
    const traces = batch.map(({ traceHeader }) => traceHeader);
    const result = await functions.invoke(mapping.functionName, event, { traces });
    const ids = batch.map(({ id }) => id);
    const failed = failedItems(result, ids, mapping.reportsFailures);
    for (const { id, receiptHandle, receiveCount } of batch) {
      if (failed !== 'all' && !failed.includes(id)) queue.delete(receiptHandle);
      else if (backOff) queue.changeVisibility(receiptHandle, backOff(receiveCount));
    }
    if (!result.ok && result.reason === 'throttled') await sleep(clock, throttledPauseMs, stopping.signal);
  }

  const forget = queue.onAvailable(fill);
  fill();
  return {
    async stop() {
      stopping.abort();
      forget();
      await Promise.all(running);
    },
  };
}

/** A message as Lambda hands it on. */
function toRecord(message: ReceivedMessage, eventSourceARN: string): unknown {
  return {
    messageId: message.id,
    receiptHandle: message.receiptHandle,
    body: message.body,
    attributes: systemAttributes(message),
    messageAttributes: {},
    md5OfBody: md5(message.body),
    eventSource: 'aws:sqs',
    eventSourceARN,
    awsRegion: localRegion,
  };
}
