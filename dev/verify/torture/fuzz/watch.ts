import { on, once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { encodeToken } from '../../../../shared/protocol/token.ts';
import type { RunningProcess } from '../../../support/runningProcess.ts';
import { readUsage } from '../../../support/usage.ts';

/** Time between two checks of the process. */
const CHECK_MS = 200;

/** Maximum time of the probe to stop. It waits for the answer to its last request. */
const LEAVE_MS = 60_000;

/** Maximum pause of sessions after a late answer. It is longer than the limit of a freeze, so that a freeze is reported. */
const HOLD_UP_MS = 10_000;

/** After an answer later than this, the service has more to do than this machine can. */
const LATE_MS = 1_000;

/** Time between two questions of the probe. */
const PAUSE_MS = 100;

/** Every twentieth question is a data-sync: 15 messages a second by the host's count, which allows 20 (MAX_MESSAGES_PER_SECOND). */
const QUESTIONS_PER_SYNC = 20;
const DATA_SYNC = '{"messageType":"data-sync","data":{"timestamp":0,"user":{"keyId":"probe"}}}';

/** The target of a watch. */
interface WatchTarget {
  readonly process: RunningProcess;
  /** Where the probe connects. An answer after more than `freezeMs` is a freeze. */
  readonly probed: { readonly streamingUrl: string; readonly clientKey: string; readonly freezeMs: number };
  /** Memory limit of the process. */
  readonly memoryBytes: number;
}

/**
 * Watches a service while it is fuzzed: it must run, stay within its memory, and answer a probe. The probe is a client that does nothing
 * wrong: it asks for its flags, and for echoes between.
 *
 * @param report called at once with each problem
 * @param onDeath called when the process has ended
 */
export function startWatch(
  { process, probed, memoryBytes }: WatchTarget,
  report: (problem: string) => void,
  onDeath: () => void,
) {
  const { resident: first } = readUsage(process.pid);
  const resident = { first, peak: first, last: first };
  /** Late answers took more than {@link LATE_MS}. `isLate` says whether one is late now. */
  const probe = { asked: 0, answered: 0, slowestMs: 0, late: 0, isLate: false };
  const reportProbe = (problem: string) => report(`the probe: ${problem}`);
  let isTooLarge = false;
  const over = new AbortController();
  const timer = setInterval(() => {
    if (!process.isRunning) {
      clearInterval(timer);
      report(`the process has ended; its last output: ${process.output.slice(-2_000)}`);
      onDeath();
      return;
    }
    const { resident: last } = readUsage(process.pid);
    // Without /proc, or after the end of the process.
    if (Number.isNaN(last)) return;
    if (last > memoryBytes && !isTooLarge) {
      isTooLarge = true;
      report(`its resident memory is ${mebibytes(last)} MiB; the limit is ${mebibytes(memoryBytes)} MiB`);
    }
    Object.assign(resident, { last, peak: Math.max(resident.peak, last) });
  }, CHECK_MS);

  async function runProbe(): Promise<void> {
    while (!over.signal.aborted) {
      await converse().catch((error: Error) => reportProbe(error.message));
      await sleep(PAUSE_MS);
    }
  }

  /** One connection, from its handshake until it ends. @throws {Error} with the reason for its end */
  async function converse(): Promise<void> {
    const token = encodeToken(probed.clientKey, Date.now(), 7);
    const url = `${probed.streamingUrl}/streaming?type=client&token=${token}`;
    const socket = new WebSocket(url, { perMessageDeflate: false });
    const closed = once(socket, 'close').then(([code]) => {
      throw new Error(`its connection was closed with ${code}`);
    });
    closed.catch(() => {});
    const messages = on(socket, 'message');
    const answered = async (isAnswer: (text: string) => boolean) => {
      for (let text = ''; !isAnswer(text); text = String((await messages.next()).value?.[0]));
    };
    try {
      await timed('a handshake', Promise.race([once(socket, 'open'), closed]));
      for (let n = 0; !over.signal.aborted; n++) {
        const isSync = n % QUESTIONS_PER_SYNC === 0;
        const echo = `{"messageType":"echo","data":${n}}`;
        const question = isSync ? DATA_SYNC : echo;
        const answer = answered((text) => (isSync ? text.includes('"data-sync"') : text === echo));
        socket.send(question);
        // API Gateway drops a message above the stage's rate without an answer. An SDK asks again, and so does this client.
        const again = setInterval(() => socket.send(question), LATE_MS);
        await timed(isSync ? 'a data-sync' : 'an echo', Promise.race([answer, closed])).finally(() =>
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
    probe.asked++;
    const late = setTimeout(() => Object.assign(probe, { late: probe.late + 1, isLate: true }), LATE_MS);
    const { freezeMs } = probed;
    const frozen = setTimeout(() => reportProbe(`${what} is without an answer after ${freezeMs} ms`), freezeMs);
    try {
      await answer;
      probe.answered++;
      probe.slowestMs = Math.max(probe.slowestMs, performance.now() - startedAt);
    } finally {
      clearTimeout(late);
      clearTimeout(frozen);
      probe.isLate = false;
    }
  }

  const probeEnded = runProbe();
  return {
    /** The report of the probe, and the resident memory in bytes: when the watch began, the most, and now. */
    seen: () => ({ probe, resident }),
    /** Waits while an answer to the probe is late, so that inputs arrive only as fast as this machine handles them. */
    async untilInTime(): Promise<void> {
      const until = performance.now() + HOLD_UP_MS;
      while (probe.isLate && process.isRunning && performance.now() < until) await sleep(CHECK_MS);
    },
    /** Stops the probe and the checks. */
    async stop(): Promise<void> {
      over.abort();
      clearInterval(timer);
      await Promise.race([probeEnded, sleep(LEAVE_MS, undefined, { ref: false })]);
    },
  };
}

export function mebibytes(bytes: number): number {
  return Math.round(bytes / 1024 / 1024);
}
