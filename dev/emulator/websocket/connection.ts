import type { ConnectionFacts } from '../requestContext.ts';

/** An open WebSocket, for senders to its client. */
export interface Connection {
  readonly facts: ConnectionFacts;
  /** Sends one text message: `gone` when the socket is closing, `full` when the client does not read what it gets. */
  send(text: string): 'sent' | 'gone' | 'full';
  /** Starts the closing handshake with this code; the `$disconnect` event will tell the same. */
  close(code: number, reason: string): void;
}

/** The open connections of one WebSocket API, by connection id. */
export type ConnectionTable = Map<string, Connection>;
