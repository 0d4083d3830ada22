import type { Feeds } from './feeds.ts';
import type { SendBudget } from './sendBudget.ts';

/** What serving a connection needs. */
export interface SessionDeps {
  readonly feeds: Pick<Feeds, 'of'>;
  readonly budget: SendBudget;
}

/** A connection that has been let in: an SDK's, or an agent's. */
export interface Session {
  readonly isRelay: boolean;
  /** Sends one message. */
  send(text: string): void;
  /**
   * Answers a data-sync; from then on it gets every change.
   *
   * @throws {InvalidRequest} when the request gets no answer
   * @throws {NotFound} when there is no such environment any more
   * @throws when the table cannot be reached
   */
  sync(data: unknown): Promise<void>;
  /** Sends changes that waited for the client to read. */
  catchUp(): void;
  /** The connection is closed: no message needs to be made for it. */
  closed(): void;
  /** To be called when the connection has ended and its messages are handled. */
  release(): void;
}
