import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';
import type { Clock } from '../clock.ts';
import type { ConnectionFacts } from '../requestContext.ts';
import type { Disconnection } from './events.ts';
import { watchFrames } from './frameLimit.ts';
import { closeReasons, type WebSocketLimits } from './limits.ts';

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

/** Events of a session. */
interface SessionEvents {
  /** A text message. The promise says when its handling is over; meanwhile further messages are handled too. */
  message(text: string): Promise<void>;
  /** A text message has been handed to the client's socket. */
  sent(text: string): void;
  /** The connection is gone; called once. */
  end(disconnection: Disconnection): void;
}

/**
 * Maximum concurrent messages of one client, so that one client uses few of the shared executions. On AWS they end earlier.
 * Further messages stay in the socket. Those that were read already wait.
 */
const maxMessagesInFlight = 8;

/**
 * Runs one open socket: enforces frame and message size, text only, idle time and lifetime, and stops reading from a
 * client that sends faster than it is served or does not read its answers. Nothing a client sends makes it throw.
 */
export function startSession(
  socket: WebSocket,
  wire: Socket,
  facts: ConnectionFacts,
  { clock, limits, events }: { clock: Clock; limits: WebSocketLimits; events: SessionEvents },
): Connection {
  let lastActiveAt = clock.now();
  let inFlight = 0;
  /** Messages of a read of the socket that arrived before the pause. */
  const waiting: string[] = [];
  let closedByUs: Disconnection | undefined;

  const close = (code: number, reason: string) => {
    if (closedByUs) return;
    closedByUs = { code, reason };
    if (socket.isPaused) socket.resume();
    socket.close(code, reason);
  };
  const closeFor = (code: keyof typeof closeReasons) => close(code, closeReasons[code]);

  const breathe = () => {
    const busy = inFlight >= maxMessagesInFlight || waiting.length > 0 || socket.bufferedAmount > limits.bufferedBytes;
    if (busy && !socket.isPaused && !closedByUs) socket.pause();
    if (!busy && socket.isPaused) socket.resume();
  };

  const send: Connection['send'] = (text) => {
    if (closedByUs || socket.readyState !== socket.OPEN) return 'gone';
    if (socket.bufferedAmount > limits.bufferedBytes) return 'full';
    lastActiveAt = clock.now();
    socket.send(text, breathe);
    events.sent(text);
    return 'sent';
  };

  const handleNext = () => {
    while (!closedByUs && inFlight < maxMessagesInFlight && waiting.length > 0) {
      inFlight += 1;
      void events.message(waiting.shift() as string).finally(() => {
        inFlight -= 1;
        handleNext();
      });
    }
    breathe();
  };

  const watch = watchFrames((length) => {
    if (length > limits.frameBytes) closeFor(1009);
  });
  // Before the listener of `ws`, so that no message in an oversized frame is handled.
  wire.prependListener('data', watch);

  socket.on('message', (data: Buffer, isBinary) => {
    if (closedByUs) return;
    lastActiveAt = clock.now();
    if (isBinary) return closeFor(1003);
    waiting.push(data.toString('utf8'));
    handleNext();
  });
  socket.on('error', (error: Error & { code?: string }) => {
    closedByUs ??= {
      code: error.code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH' ? 1009 : 1002,
      reason: error.message,
    };
  });

  const cancelLifetime = clock.after(limits.lifetimeMs, () => closeFor(1001));
  let cancelIdle = () => {};
  const watchIdle = (delayMs: number) => {
    cancelIdle = clock.after(delayMs, () => {
      const left = lastActiveAt + limits.idleMs - clock.now();
      if (left > 0) watchIdle(left);
      else closeFor(1001);
    });
  };
  watchIdle(limits.idleMs);

  socket.on('close', (code, reason) => {
    waiting.length = 0;
    cancelLifetime();
    cancelIdle();
    const told = reason.toString('utf8') || closeReasons[code as keyof typeof closeReasons] || '';
    events.end(closedByUs ?? { code, reason: told });
  });

  return { facts, send, close };
}
