import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { WebSocket } from 'ws';
import { encodeToken } from '../../../../shared/protocol/token.ts';

/** Whom the probe asks. */
export interface ProbeTarget {
  readonly streamingUrl: string;
  readonly clientKey: string;
  /** An answer later than this is a freeze. */
  readonly freezeMs: number;
}

/** What the probe has seen so far. */
export interface ProbeReport {
  readonly asked: number;
  readonly answered: number;
  readonly slowestMs: number;
  /** How many answers took longer than {@link LATE_MS}, and whether one does now. */
  readonly late: number;
  readonly isLate: boolean;
  /** What must not happen to a connection that does nothing wrong. */
  readonly problems: readonly string[];
}

/** An answer later than this says that the service has more to do than this machine can. */
const LATE_MS = 1_000;

/** How many problems are told; where there are more they are the same. */
const PROBLEMS = 20;

/** Time between two questions. */
const PAUSE_MS = 100;

/**
 * A client that does nothing wrong, in a thread of its own, so that only the service can hold it up: it asks for its
 * flags and for an echo in turn, and must be answered all the time. Told anything, it leaves; its reports come by messages.
 */
class Probe {
  readonly #target: ProbeTarget;
  #report = { asked: 0, answered: 0, slowestMs: 0, late: 0, isLate: false, problems: [] as string[] };
  #isOver = false;

  constructor(target: ProbeTarget) {
    this.#target = target;
  }

  leave(): void {
    this.#isOver = true;
  }

  async run(): Promise<void> {
    while (!this.#isOver) {
      await this.#session().catch((error: Error) => this.#note(error.message));
      await sleep(PAUSE_MS);
    }
    parentPort?.postMessage(this.#report);
    parentPort?.close();
  }

  /** One connection, from its handshake until it is lost. @throws {Error} saying how */
  async #session(): Promise<void> {
    const { streamingUrl, clientKey } = this.#target;
    const token = encodeToken(clientKey, Date.now(), 7);
    const socket = new WebSocket(`${streamingUrl}/streaming?type=client&token=${token}`, { perMessageDeflate: false });
    let hear = (_: string) => {};
    let fail = (_: Error) => {};
    socket.on('message', (data) => hear(String(data)));
    socket.on('error', (error) => fail(error));
    socket.on('close', (code) => fail(new Error(`its connection was closed with ${code}`)));
    const heard = (isIt: (text: string) => boolean) =>
      new Promise<void>((resolve, reject) => {
        hear = (text) => isIt(text) && resolve();
        fail = reject;
      });
    try {
      const isOpen = new Promise<void>((resolve, reject) => {
        socket.on('open', resolve);
        fail = reject;
      });
      await this.#timed('a handshake', isOpen);
      for (let n = 0; !this.#isOver; n++) {
        const echo = `{"messageType":"echo","data":${n}}`;
        const isSync = n % 2 === 0;
        const answer = heard((text) => (isSync ? text.includes('"data-sync"') : text === echo));
        socket.send(isSync ? '{"messageType":"data-sync","data":{"timestamp":0,"user":{"keyId":"probe"}}}' : echo);
        await this.#timed(isSync ? 'a data-sync' : 'an echo', answer);
        await sleep(PAUSE_MS);
      }
    } finally {
      fail = () => {};
      socket.terminate();
    }
  }

  /** Waits for an answer, however long it takes, and tells at once when it takes too long. */
  async #timed(what: string, answer: Promise<void>): Promise<void> {
    const startedAt = performance.now();
    this.#report.asked++;
    const { freezeMs } = this.#target;
    const late = setTimeout(() => this.#lags(), LATE_MS);
    const frozen = setTimeout(() => this.#note(`${what} is without an answer after ${freezeMs} ms`), freezeMs);
    try {
      await answer;
      this.#report.answered++;
      this.#report.slowestMs = Math.max(this.#report.slowestMs, performance.now() - startedAt);
    } finally {
      clearTimeout(late);
      clearTimeout(frozen);
      this.#report.isLate = false;
    }
    parentPort?.postMessage(this.#report);
  }

  #lags(): void {
    this.#report.late++;
    this.#report.isLate = true;
    parentPort?.postMessage(this.#report);
  }

  #note(problem: string): void {
    if (this.#report.problems.length >= PROBLEMS) return;
    this.#report.problems.push(problem);
    parentPort?.postMessage(this.#report);
  }
}

if (parentPort) {
  const probe = new Probe(workerData as ProbeTarget);
  parentPort.once('message', () => probe.leave());
  await probe.run();
}
