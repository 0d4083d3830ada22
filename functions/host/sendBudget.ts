import type { Transport } from './transport.ts';

/** How long a reply waits for room before a connection that has read nothing for as long is ended. */
const UNREAD_LIMIT_MS = 1_000;

/** Something that was sent more than its client has read so far. */
type Recipient = Pick<Transport, 'bufferedBytes' | 'terminate'>;

interface UnreadBytes {
  readonly bytes: number;
  /** Since when something has been waiting, on the monotonic clock. */
  readonly since: number;
}

interface QueuedReply {
  readonly since: number;
  readonly start: () => void;
}

/**
 * Limits what waits in memory to be read by clients, over all connections: at the limit, replies queue. A reply may be of
 * any size, so the limit can be exceeded by one reply.
 *
 * Clients that leave replies unread must not block others: for each reply that has waited a second, the connection whose
 * bytes have waited longest is ended.
 */
export class SendBudget {
  readonly #limitBytes: number;
  /** The one that has been waiting longest first. */
  readonly #unsent = new Map<Recipient, UnreadBytes>();
  #totalBytes = 0;
  readonly #waiting: QueuedReply[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  /** Bytes that wait to be read, over all connections. */
  get totalBytes(): number {
    return this.#totalBytes;
  }

  get isFull(): boolean {
    return this.#totalBytes >= this.#limitBytes;
  }

  /** Updates what a connection has not read. To be called after each message to it, and when it has read. */
  note(recipient: Recipient): void {
    this.#set(recipient, recipient.bufferedBytes);
  }

  /** A connection is closed: nothing waits for it any more. */
  forget(recipient: Recipient): void {
    this.#set(recipient, 0);
  }

  /** Sends a reply once there is room for it, in the order of the calls. @param send makes and sends it at once */
  async whenRoom(send: () => void): Promise<void> {
    if (!this.isFull && this.#waiting.length === 0) return send();
    return new Promise((resolve, reject) => {
      const start = () => {
        try {
          send();
          resolve();
        } catch (error) {
          reject(error);
        }
      };
      this.#waiting.push({ since: performance.now(), start });
      this.#startWaiting();
    });
  }

  #set(recipient: Recipient, bytes: number): void {
    const before = this.#unsent.get(recipient);
    if (bytes === (before?.bytes ?? 0)) return;
    this.#totalBytes += bytes - (before?.bytes ?? 0);
    if (bytes === 0) this.#unsent.delete(recipient);
    else this.#unsent.set(recipient, { bytes, since: before?.since ?? performance.now() });
    this.#startWaiting();
  }

  #startWaiting(): void {
    while (!this.isFull) {
      const next = this.#waiting.shift();
      if (!next) break;
      next.start();
    }
    if (this.#waiting.length === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
    } else {
      this.#timer ??= setInterval(() => this.#makeRoom(), UNREAD_LIMIT_MS / 4);
    }
  }

  #makeRoom(): void {
    const tooLongAgo = performance.now() - UNREAD_LIMIT_MS;
    let overdue = this.#waiting.filter(({ since }) => since <= tooLongAgo).length;
    for (const [recipient, { since }] of this.#unsent) {
      if (overdue-- === 0 || since > tooLongAgo) return;
      recipient.terminate();
    }
  }
}
