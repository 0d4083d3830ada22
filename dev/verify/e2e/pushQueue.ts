import { until } from '../../../shared/testing/until.ts';
import { callAws, physicalIds } from './awsCalls.ts';
import type { Deployment } from './deployment.ts';

/** The deployed queue between publish and deliver, and the dead-letter queues of its stack. */
export class PushQueue {
  readonly #deployment: Deployment;
  readonly #url: string;
  readonly #deadLetterUrls: readonly string[];
  readonly #visibilityTimeout: string;

  private constructor(
    deployment: Deployment,
    url: string,
    deadLetterUrls: readonly string[],
    visibilityTimeout: string,
  ) {
    this.#deployment = deployment;
    this.#url = url;
    this.#deadLetterUrls = deadLetterUrls;
    this.#visibilityTimeout = visibilityTimeout;
  }

  /** Finds it: of the queues with a dead-letter queue, the one that keeps an order. @throws when no stack has one */
  static async of(deployment: Deployment): Promise<PushQueue> {
    for (const [stackName, { template }] of Object.entries(deployment.stacks)) {
      const queues = Object.entries(template.Resources).filter(([, { Type }]) => Type === 'AWS::SQS::Queue');
      const isRead = ([, { Properties }]: (typeof queues)[number]) => Properties?.['RedrivePolicy'] !== undefined;
      const push = queues.find((queue) => isRead(queue) && queue[1].Properties?.['FifoQueue'] === true);
      if (!push) continue;
      const ids = await physicalIds(deployment.emulator, stackName);
      const urlOf = ([logicalId]: (typeof queues)[number]) => ids.get(logicalId) as string;
      const deadLetterUrls = queues.filter((queue) => !isRead(queue)).map(urlOf);
      return new PushQueue(deployment, urlOf(push), deadLetterUrls, String(push[1].Properties?.['VisibilityTimeout']));
    }
    throw new Error('no stack has a FIFO queue with a dead-letter queue');
  }

  /** Hands failed messages in again after a second while `act` takes; as deployed it takes minutes, as Lambda advises. */
  async whileImpatient(act: () => Promise<void>): Promise<void> {
    await this.#setVisibilityTimeout('1');
    try {
      await act();
    } finally {
      await this.#setVisibilityTimeout(this.#visibilityTimeout);
    }
  }

  /** Waits until everything in it has been delivered. */
  async untilEmpty(): Promise<void> {
    await until(
      () => this.#messagesIn(this.#url),
      (messages) => messages === 0,
    );
  }

  /** How many messages lie in the dead-letter queues. */
  async undelivered(): Promise<number> {
    const counts = await Promise.all(this.#deadLetterUrls.map((url) => this.#messagesIn(url)));
    return counts.reduce((sum, count) => sum + count, 0);
  }

  async #messagesIn(QueueUrl: string): Promise<number> {
    const answer = await this.#call('GetQueueAttributes', { QueueUrl, AttributeNames: ['All'] });
    const { Attributes } = JSON.parse(answer) as { Attributes: Record<string, string> };
    return (
      Number(Attributes['ApproximateNumberOfMessages']) + Number(Attributes['ApproximateNumberOfMessagesNotVisible'])
    );
  }

  async #setVisibilityTimeout(VisibilityTimeout: string): Promise<void> {
    await this.#call('SetQueueAttributes', { QueueUrl: this.#url, Attributes: { VisibilityTimeout } });
  }

  #call(operation: string, input: object): Promise<string> {
    const request = { service: 'sqs', target: `AmazonSQS.${operation}`, body: JSON.stringify(input) };
    return callAws(this.#deployment.emulator, request);
  }
}
