import type { Feeds } from '../feeds/feeds.ts';
import type { PushReports } from '../feeds/pushReports.ts';
import type { SendBudget } from '../feeds/sendBudget.ts';

/** Dependencies of a session. */
export interface SessionDeps {
  readonly feeds: Pick<Feeds, 'of'>;
  readonly sendBudget: SendBudget;
  /** Reports for receipts. Absent if the host makes none. */
  readonly reports?: Pick<PushReports, 'admit'> | undefined;
}

/** An authenticated connection: an SDK's, or an agent's. */
export interface Session {
  readonly isRelay: boolean;
  /** Sends one message. */
  send(text: string): void;
  /**
   * Answers a data-sync. From then on the connection receives every change.
   *
   * @throws {InvalidRequest} if the request gets no answer
   * @throws {NotFound} if the environment was deleted
   * @throws if the table cannot be reached
   */
  sync(data: unknown): Promise<void>;
  /** Sends changes that waited until the client had read. */
  catchUp(): void;
  /** Marks the connection as closed, so that no more messages are built for it. */
  closed(): void;
  /** Call when the connection has closed and its messages are handled. */
  release(): void;
}
