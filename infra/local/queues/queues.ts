import { join } from 'node:path';
import type { Clock } from '../clock.ts';
import type { QueueDefinition } from './definition.ts';
import type { Queue } from './queue.ts';
import { openQueue } from './queue.ts';

/** All queues of the stand-in. */
export interface Queues {
  byName(name: string): Queue | undefined;
  /** @throws Error when there is no such queue. */
  byArn(arn: string): Queue;
  close(): void;
}

/** Opens every queue, each with its journal `<directory>/<name>.ndjson`; without a directory they live in memory. */
export function openQueues(
  definitions: readonly QueueDefinition[],
  { clock, directory }: { clock: Clock; directory?: string },
): Queues {
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
      openQueue(definition, {
        clock,
        ...(directory !== undefined && { path: join(directory, `${definition.name}.ndjson`) }),
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
