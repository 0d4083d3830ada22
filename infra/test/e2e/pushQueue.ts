import { until } from '../../../shared/testing/until.ts';
import { callAws, physicalIds } from './awsCalls.ts';
import type { Deployment } from './deployment.ts';

/** The deployed queue between publish and deliver, and those beside it that take what could not be handled. */
export class PushQueue {
  readonly #deployment: Deployment;
  readonly #url: string;
  readonly #othersUrls: readonly string[];
  readonly #visibilityTimeout: string;

  private constructor(deployment: Deployment, url: string, others: readonly string[], visibilityTimeout: string) {
    this.#deployment = deployment;
    this.#url = url;
    this.#othersUrls = others;
    this.#visibilityTimeout = visibilityTimeout;
  }

  /** Finds it: of the queues of its stack, the one with a dead-letter queue. @throws when no stack has one */
  static async of(deployment: Deployment): Promise<PushQueue> {
    for (const [stackName, { template }] of Object.entries(deployment.stacks)) {
      const queues = Object.entries(template.Resources).filter(([, { Type }]) => Type === 'AWS::SQS::Queue');
      const found = queues.find(([, { Properties }]) => Properties?.['RedrivePolicy'] !== undefined);
      if (!found) continue;
      const ids = await physicalIds(deployment.emulator, stackName);
      const [url = '', ...others] = [found, ...queues.filter((queue) => queue !== found)].map(
        ([logicalId]) => ids.get(logicalId) as string,
      );
      return new PushQueue(deployment, url, others, String(found[1].Properties?.['VisibilityTimeout']));
    }
    throw new Error('no stack has a queue with a dead-letter queue');
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

  /** How many messages lie in the queues for what could not be handled. */
  async undelivered(): Promise<number> {
    const counts = await Promise.all(this.#othersUrls.map((url) => this.#messagesIn(url)));
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
