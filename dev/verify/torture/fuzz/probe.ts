import { on, once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { WebSocket } from 'ws';
import { encodeToken } from '../../../../shared/protocol/token.ts';

/** The target of the probe. */
export interface ProbeTarget {
  readonly streamingUrl: string;
  readonly clientKey: string;
  /** An answer later than this is a freeze. */
  readonly freezeMs: number;
}

/** The state of the probe. */
export interface ProbeReport {
  readonly asked: number;
  readonly answered: number;
  readonly slowestMs: number;
  /** Number of answers later than {@link LATE_MS}, and whether one is late now. */
  readonly late: number;
  readonly isLate: boolean;
  /** What must not happen to a connection that does nothing wrong. */
  readonly problems: readonly string[];
}

/** The report before the first question. */
export const NO_REPORT: ProbeReport = { asked: 0, answered: 0, slowestMs: 0, late: 0, isLate: false, problems: [] };

/** After an answer later than this, the service has more to do than this machine can. */
const LATE_MS = 1_000;

/** Maximum number of problems in the report. */
const PROBLEMS = 20;

/** Time between two questions. */
const PAUSE_MS = 100;

/** Every twentieth question is a data-sync: 15 messages a second by the host's count, which allows 20 (MAX_MESSAGES_PER_SECOND). */
const QUESTIONS_PER_SYNC = 20;

let report = NO_REPORT;
let isOver = false;

/**
 * A client that does nothing wrong, in its own thread, so that only the service can delay it. It asks for its flags, and for echoes
 * between, until it gets a message. It sends its reports as messages.
 */
async function probe(): Promise<void> {
  while (!isOver) {
    await converse().catch((error: Error) => note(error.message));
    await sleep(PAUSE_MS);
  }
  parentPort?.postMessage(report);
  parentPort?.close();
}

/** One connection, from its handshake until it ends. @throws {Error} with the reason for its end */
async function converse(): Promise<void> {
  const { streamingUrl, clientKey } = workerData as ProbeTarget;
  const token = encodeToken(clientKey, Date.now(), 7);
  const socket = new WebSocket(`${streamingUrl}/streaming?type=client&token=${token}`, { perMessageDeflate: false });
  const closed = once(socket, 'close').then(([code]) => {
    throw new Error(`its connection was closed with ${code}`);
  });
  closed.catch(() => {});
  const messages = on(socket, 'message');
  try {
    await timed('a handshake', Promise.race([once(socket, 'open'), closed]));
    for (let n = 0; !isOver; n++) {
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

/** Waits for a message. */
async function heard(messages: AsyncIterator<unknown[]>, isIt: (text: string) => boolean): Promise<void> {
  for (;;) {
    const { value } = await messages.next();
    if (isIt(String(value[0]))) return;
  }
}

/** Waits for an answer without a limit, and reports at once when it is late. */
async function timed(what: string, answer: Promise<unknown>): Promise<void> {
  const startedAt = performance.now();
  const { freezeMs } = workerData as ProbeTarget;
  tell({ asked: report.asked + 1 });
  const late = setTimeout(() => tell({ late: report.late + 1, isLate: true }), LATE_MS);
  const frozen = setTimeout(() => note(`${what} is without an answer after ${freezeMs} ms`), freezeMs);
  try {
    await answer;
    const slowestMs = Math.max(report.slowestMs, performance.now() - startedAt);
    tell({ answered: report.answered + 1, slowestMs });
  } finally {
    clearTimeout(late);
    clearTimeout(frozen);
    tell({ isLate: false });
  }
}

function note(problem: string): void {
  if (report.problems.length < PROBLEMS) tell({ problems: [...report.problems, problem] });
}

function tell(changes: Partial<ProbeReport>): void {
  report = { ...report, ...changes };
  parentPort?.postMessage(report);
}

if (parentPort) {
  parentPort.once('message', () => {
    isOver = true;
  });
  await probe();
}
