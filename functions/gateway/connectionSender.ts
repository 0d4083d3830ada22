/** The outcome of a message: sent, its connection is gone, or it became outdated before it was sent. */
export type PostOutcome = 'sent' | 'gone' | 'outdated';

/** A post with an unknown outcome: its message may still reach the connection. */
export class UncertainPost extends Error {
  constructor(cause: unknown) {
    super(`it is unknown whether a post reached its connection: ${(cause as Error).message}`, { cause });
    this.name = 'UncertainPost';
  }
}

/** Sends text to connections. */
export interface ConnectionSender {
  /**
   * @param retryUntil time until which a refused post is retried, unix milliseconds; by default a few times. API Gateway refuses
   *   posts to a client that reads slowly.
   * @param isOutdated asked before each attempt, as one may wait
   * @throws {UncertainPost} if the message may still reach the connection
   * @throws if it was not sent; the connection may still be open
   */
  post(
    connectionId: string,
    text: string,
    retryUntil?: number,
    isOutdated?: () => Promise<boolean>,
  ): Promise<PostOutcome>;
}

/** Counts the outcomes of a sender's messages. */
export function countPosts(sender: ConnectionSender) {
  const counts = { sent: 0, gone: 0, outdated: 0, failed: 0 };
  return {
    counts,
    async post(...message: Parameters<ConnectionSender['post']>): Promise<PostOutcome> {
      let outcome: keyof typeof counts = 'failed';
      try {
        outcome = await sender.post(...message);
        return outcome;
      } finally {
        counts[outcome]++;
      }
    },
  };
}
