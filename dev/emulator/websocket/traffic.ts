import type { ConnectionFacts } from '../requestContext.ts';
import type { Disconnection } from './events.ts';

/** Told of what passes through WebSocket APIs, as it does; what it throws is not caught. */
export interface Traffic {
  opened(facts: ConnectionFacts): void;
  /** A handshake was answered with this status instead. */
  refused(status: number): void;
  received(facts: ConnectionFacts, text: string): void;
  sent(facts: ConnectionFacts, text: string): void;
  closed(facts: ConnectionFacts, disconnection: Disconnection): void;
}
