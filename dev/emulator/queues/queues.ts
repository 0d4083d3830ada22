import type { Clock } from '../clock.ts';
import type { QueueDefinition } from './definition.ts';
import { createQueue, type Queue } from './queue.ts';

/** All queues of the emulator. */
export type Queues = ReturnType<typeof createQueues>;

/** Makes the queues. @throws Error for a dead-letter queue that is not in the templates */
export function createQueues(definitions: readonly QueueDefinition[], clock: Clock) {
  const queues: readonly Queue[] = definitions.map((definition) => {
    const { redrive } = definition;
    return createQueue(definition, { clock, ...(redrive && { deadLetters: () => byArn(redrive.queueArn) }) });
  });
  /** @throws Error when there is no such queue. */
  const byArn = (arn: string): Queue => {
    const queue = queues.find(({ definition }) => definition.arn === arn);
    if (!queue) throw new Error(`There is no queue with ARN "${arn}" in the templates`);
    return queue;
  };
  for (const { redrive } of definitions) if (redrive) byArn(redrive.queueArn);
  return {
    byArn,
    byName: (name: string) => queues.find(({ definition }) => definition.name === name),
    close(): void {
      for (const queue of queues) queue.close();
    },
  };
}
