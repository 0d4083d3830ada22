/** Whether a message reached its connection, or the connection is no more. */
export type Posted = 'sent' | 'gone';

/** Sends text to connections. */
export interface ConnectionSender {
  /** @throws when it could not be sent now, although the connection may still be there */
  post(connectionId: string, text: string): Promise<Posted>;
}

/** A connection sender that counts what becomes of what it is given. */
export interface CountingSender extends ConnectionSender {
  readonly counts: Record<Posted | 'failed', number>;
}

/** Counts a connection sender's outcomes. */
export function countPosts(sender: ConnectionSender): CountingSender {
  const counts = { sent: 0, gone: 0, failed: 0 };
  return {
    counts,
    async post(connectionId, text) {
      let outcome: keyof typeof counts = 'failed';
      try {
        outcome = await sender.post(connectionId, text);
        return outcome;
      } finally {
        counts[outcome]++;
      }
    },
  };
}
