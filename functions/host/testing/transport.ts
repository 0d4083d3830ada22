import type { Transport } from '../transport/transport.ts';

/** A WebSocket that records its messages and how it was closed. */
export class TestTransport implements Transport {
  readonly sent: string[] = [];
  /** `1001 reason`, or `terminated`. */
  ended: string | undefined;
  bufferedBytes = 0;
  /** Unread bytes added by each message. */
  unread = 0;

  send(text: string): void {
    if (this.ended !== undefined) return;
    this.sent.push(text);
    this.bufferedBytes += this.unread;
  }

  close(code: number, reason: string): void {
    this.ended ??= `${code} ${reason}`;
  }

  terminate(): void {
    this.ended ??= 'terminated';
  }

  /** The sent messages, parsed. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into messages of every kind.
  get messages(): any[] {
    return this.sent.map((text) => JSON.parse(text));
  }
}
