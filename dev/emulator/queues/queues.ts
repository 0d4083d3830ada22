import type { Clock } from '../clock.ts';
import type { QueueDefinition } from './definition.ts';
import { createQueue, type Queue } from './queue.ts';

/** All queues of the emulator. */
export class Queues {
  readonly #queues: ReadonlyMap<string, Queue>;

  /** @throws Error for a dead-letter queue that is not in the templates */
  constructor(definitions: readonly QueueDefinition[], clock: Clock) {
    this.#queues = new Map(
      definitions.map((definition) => {
        const { name, redrive } = definition;
        const deadLetters = redrive && { deadLetters: () => this.byArn(redrive.queueArn) };
        return [name, createQueue(definition, { clock, ...deadLetters })];
      }),
    );
    for (const { redrive } of definitions) if (redrive) this.byArn(redrive.queueArn);
  }

  byName(name: string): Queue | undefined {
    return this.#queues.get(name);
  }

  /** @throws Error when there is no such queue. */
  byArn(arn: string): Queue {
    const queue = [...this.#queues.values()].find(({ definition }) => definition.arn === arn);
    if (!queue) throw new Error(`There is no queue with ARN "${arn}" in the templates`);
    return queue;
  }

  close(): void {
    for (const queue of this.#queues.values()) queue.close();
  }
}
