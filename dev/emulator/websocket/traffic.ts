import type { ConnectionFacts } from '../requestContext.ts';
import type { Disconnection } from './events.ts';

/** Gets the events of WebSocket APIs. Its errors are not caught. */
export interface Traffic {
  opened(facts: ConnectionFacts): void;
  /** A handshake was answered with this status instead. */
  refused(status: number): void;
  received(facts: ConnectionFacts, text: string): void;
  sent(facts: ConnectionFacts, text: string): void;
  closed(facts: ConnectionFacts, disconnection: Disconnection): void;
}
