import type { Clock } from '../clock.ts';
import type { QueueDefinition } from './definition.ts';
import { createQueue, type Queue } from './queue.ts';

/** All queues of the emulator. */
export interface Queues {
  byName(name: string): Queue | undefined;
  /** @throws Error when there is no such queue. */
  byArn(arn: string): Queue;
  close(): void;
}

/** Makes every queue. */
export function createQueues(definitions: readonly QueueDefinition[], clock: Clock): Queues {
  const queues = new Map<string, Queue>();
  const byArn = (arn: string): Queue => {
    const queue = [...queues.values()].find(({ definition }) => definition.arn === arn);
    if (!queue) throw new Error(`There is no queue with ARN "${arn}" in the templates`);
    return queue;
  };
  for (const definition of definitions) {
    const { redrive } = definition;
    queues.set(
      definition.name,
      createQueue(definition, {
        clock,
        ...(redrive && { deadLetters: () => byArn(redrive.queueArn) }),
      }),
    );
  }
  for (const { redrive } of definitions) if (redrive) byArn(redrive.queueArn);
  return {
    byName: (name) => queues.get(name),
    byArn,
    close: () => {
      for (const queue of queues.values()) queue.close();
    },
  };
}
