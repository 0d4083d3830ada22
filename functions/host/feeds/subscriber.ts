import type { User } from '../../../shared/flags/user.ts';
import type { SecretType } from '../../../shared/protocol/secret.ts';
import type { Connection, Transport } from '../transport/transport.ts';
import type { SendBudget } from './sendBudget.ts';

/** An authenticated connection. */
export class Subscriber implements Connection {
  readonly type: SecretType;
  readonly transport: Transport;
  readonly #budget: SendBudget;
  /** The version up to which it has everything. Undefined before its first data-sync, when it gets no pushes. */
  version: number | undefined;
  #writtenTo = 0;
  /** Whether its connection is closed, so that no message must be built for it. */
  isClosed = false;
  /** The user of its last data-sync. Client type only. */
  user: User | undefined;

  constructor(type: SecretType, transport: Transport, budget: SendBudget) {
    this.type = type;
    this.transport = transport;
    this.#budget = budget;
  }

  /** Whether it has read all messages. */
  get isDrained(): boolean {
    return this.transport.bufferedBytes === 0;
  }

  /** The version up to which the network has accepted everything, as of this call. */
  get writtenTo(): number {
    if (this.isDrained) this.#writtenTo = Math.max(this.#writtenTo, this.version ?? 0);
    return this.#writtenTo;
  }

  /** Closes its connection in order. See {@link Transport.close}. */
  close(code: number, reason: string): void {
    this.transport.close(code, reason);
  }

  /** Closes its connection without a close frame. */
  terminate(): void {
    this.transport.terminate();
  }

  send(text: string): void {
    this.transport.send(text);
    if (!this.isDrained) this.#budget.note(this.transport);
  }

  /** Sends a reply once the send budget has room for it. @param make called then, at most once */
  async reply(make: () => string): Promise<void> {
    await this.#budget.whenRoom(() => {
      if (!this.isClosed) this.send(make());
    });
  }

  /** Whether it has unread pushes while the send budget is full. */
  get isOverBudget(): boolean {
    return !this.isDrained && this.#budget.isFull;
  }
}
