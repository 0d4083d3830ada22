import type { Transport } from '../transport/transport.ts';

/**
 * How long a reply waits for memory, in milliseconds. Then a connection with older unread bytes is closed.
 */
const UNREAD_LIMIT_MS = 1_000;

/** A connection with unread bytes. */
type Recipient = Pick<Transport, 'bufferedBytes' | 'terminate'>;

interface UnreadBytes {
  readonly bytes: number;
  /** Since when it has had unread bytes, on the monotonic clock. */
  readonly since: number;
}

/**
 * Limits the memory of unread bytes over all connections. At the limit, replies queue. A reply may have any size, so
 * one reply can exceed the limit.
 *
 * Clients that do not read must not block others. For each reply that has waited a second, the connection with the
 * oldest unread bytes is closed.
 */
export class SendBudget {
  readonly #limitBytes: number;
  readonly #monotonic: () => number;
  /** Ordered by waiting time, longest first. */
  readonly #unsent = new Map<Recipient, UnreadBytes>();
  #totalBytes = 0;
  readonly #waiting: { readonly since: number; readonly start: () => void }[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(limitBytes: number, monotonic: () => number) {
    this.#limitBytes = limitBytes;
    this.#monotonic = monotonic;
  }

  /** Unread bytes over all connections. */
  get totalBytes(): number {
    return this.#totalBytes;
  }

  get isFull(): boolean {
    return this.#totalBytes >= this.#limitBytes;
  }

  /** Updates the unread bytes of a connection. Call it after each message to it, and after it has read. */
  note(recipient: Recipient): void {
    this.#set(recipient, recipient.bufferedBytes);
  }

  /** Removes a closed connection. */
  forget(recipient: Recipient): void {
    this.#set(recipient, 0);
  }

  /**
   * Sends a reply once there is memory for it, in the order of the calls. @param send builds and sends it synchronously
   */
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
      this.#waiting.push({ since: this.#monotonic(), start });
      this.#startWaiting();
    });
  }

  #set(recipient: Recipient, bytes: number): void {
    const before = this.#unsent.get(recipient);
    if (bytes === (before?.bytes ?? 0)) return;
    this.#totalBytes += bytes - (before?.bytes ?? 0);
    if (bytes === 0) this.#unsent.delete(recipient);
    else this.#unsent.set(recipient, { bytes, since: before?.since ?? this.#monotonic() });
    this.#startWaiting();
  }

  #startWaiting(): void {
    while (!this.isFull && this.#waiting.length > 0) this.#waiting.shift()?.start();
    if (this.#waiting.length === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
    } else {
      this.#timer ??= setInterval(() => this.#makeRoom(), UNREAD_LIMIT_MS / 4);
    }
  }

  #makeRoom(): void {
    const tooLongAgo = this.#monotonic() - UNREAD_LIMIT_MS;
    let overdue = this.#waiting.filter(({ since }) => since <= tooLongAgo).length;
    for (const [recipient, { since }] of this.#unsent) {
      if (overdue-- === 0 || since > tooLongAgo) return;
      recipient.terminate();
    }
  }
}
