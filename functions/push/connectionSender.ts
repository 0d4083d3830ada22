/** What became of a message: sent, or its connection is gone. */
export type PostOutcome = 'sent' | 'gone';

/** A post whose outcome is unknown: its message may still reach the connection. */
export class UncertainPost extends Error {
  constructor(cause: unknown) {
    super(`it is unknown whether a post reached its connection: ${(cause as Error).message}`, { cause });
    this.name = 'UncertainPost';
  }
}

/** Sends text to connections. */
export interface ConnectionSender {
  /**
   * @param retryUntil until when it is sent again while API Gateway refuses, unix milliseconds; a few times unless given. A
   *   client that reads slowly takes no more for a while.
   * @throws {UncertainPost} when the message may still reach the connection
   * @throws when it was not sent; the connection may still be open
   */
  post(connectionId: string, text: string, retryUntil?: number): Promise<PostOutcome>;
}

/** A connection sender that counts what becomes of its messages. */
interface CountingSender extends ConnectionSender {
  readonly counts: Record<PostOutcome | 'failed', number>;
}

/** Counts what becomes of a sender's messages. */
export function countPosts(sender: ConnectionSender): CountingSender {
  const counts = { sent: 0, gone: 0, failed: 0 };
  return {
    counts,
    async post(...message) {
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
