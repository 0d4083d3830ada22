import { on, once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { encodeToken } from '../../../../shared/protocol/token.ts';

/** The target of the probe. */
export interface ProbeTarget {
  readonly streamingUrl: string;
  readonly clientKey: string;
  /** An answer later than this is a freeze. */
  readonly freezeMs: number;
}

/** After an answer later than this, the service has more to do than this machine can. */
const LATE_MS = 1_000;

/** Time between two questions. */
const PAUSE_MS = 100;

/** Every twentieth question is a data-sync: 15 messages a second by the host's count, which allows 20 (MAX_MESSAGES_PER_SECOND). */
const QUESTIONS_PER_SYNC = 20;

/**
 * Starts a client that does nothing wrong. It asks for its flags, and for echoes between, until the signal.
 *
 * @param report called with what must not happen to such a client
 */
export function startProbe(target: ProbeTarget, report: (problem: string) => void, signal: AbortSignal) {
  /** Late answers took more than {@link LATE_MS}. `isLate` says whether one is late now. */
  const seen = { asked: 0, answered: 0, slowestMs: 0, late: 0, isLate: false };

  async function run(): Promise<void> {
    while (!signal.aborted) {
      await converse().catch((error: Error) => report(error.message));
      await sleep(PAUSE_MS);
    }
  }

  /** One connection, from its handshake until it ends. @throws {Error} with the reason for its end */
  async function converse(): Promise<void> {
    const token = encodeToken(target.clientKey, Date.now(), 7);
    const url = `${target.streamingUrl}/streaming?type=client&token=${token}`;
    const socket = new WebSocket(url, { perMessageDeflate: false });
    const closed = once(socket, 'close').then(([code]) => {
      throw new Error(`its connection was closed with ${code}`);
    });
    closed.catch(() => {});
    const messages = on(socket, 'message');
    try {
      await timed('a handshake', Promise.race([once(socket, 'open'), closed]));
      for (let n = 0; !signal.aborted; n++) {
        const isSync = n % QUESTIONS_PER_SYNC === 0;
        const echo = `{"messageType":"echo","data":${n}}`;
        const question = isSync ? '{"messageType":"data-sync","data":{"timestamp":0,"user":{"keyId":"probe"}}}' : echo;
        socket.send(question);
        // API Gateway drops a message above the stage's rate without an answer. An SDK asks again, and so does this client.
        const again = setInterval(() => socket.send(question), LATE_MS);
        const isAnswer = (text: string) => (isSync ? text.includes('"data-sync"') : text === echo);
        await timed(isSync ? 'a data-sync' : 'an echo', Promise.race([heard(messages, isAnswer), closed])).finally(() =>
          clearInterval(again),
        );
        await sleep(PAUSE_MS);
      }
    } finally {
      socket.on('error', () => {}).terminate();
    }
  }

  /** Waits for an answer without a limit, and reports at once when it is late. */
  async function timed(what: string, answer: Promise<unknown>): Promise<void> {
    const startedAt = performance.now();
    seen.asked++;
    const late = setTimeout(() => Object.assign(seen, { late: seen.late + 1, isLate: true }), LATE_MS);
    const { freezeMs } = target;
    const frozen = setTimeout(() => report(`${what} is without an answer after ${freezeMs} ms`), freezeMs);
    try {
      await answer;
      seen.answered++;
      seen.slowestMs = Math.max(seen.slowestMs, performance.now() - startedAt);
    } finally {
      clearTimeout(late);
      clearTimeout(frozen);
      seen.isLate = false;
    }
  }

  return { seen, ended: run() };
}

/** Waits for a message. */
async function heard(messages: AsyncIterator<unknown[]>, isIt: (text: string) => boolean): Promise<void> {
  for (;;) {
    const { value } = await messages.next();
    if (isIt(String(value[0]))) return;
  }
}
