import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** Positions in the shared memory of both threads. */
const MAY_ANSWER = 0;
const ANSWERED = 1;
const REQUESTS = 2;

const SERVER = `
const { createServer } = require('node:net');
const { parentPort, workerData } = require('node:worker_threads');
const { state, answer } = workerData;
const server = createServer((socket) => {
  socket.on('error', () => {}).on('data', () => {
    Atomics.add(state, ${REQUESTS}, 1);
    parentPort.postMessage('request');
    Atomics.wait(state, ${MAY_ANSWER}, 0);
    socket.write(answer, () => {
      Atomics.store(state, ${ANSWERED}, 1);
      Atomics.notify(state, ${ANSWERED});
    });
  });
});
server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
`;

/** A server in its own thread. It answers while the calling thread is blocked. */
export class AnswerDuringStop {
  readonly port: number;
  readonly #worker: Worker;
  readonly #state: Int32Array<SharedArrayBuffer>;

  private constructor(worker: Worker, state: Int32Array<SharedArrayBuffer>, port: number) {
    this.#worker = worker;
    this.#state = state;
    this.port = port;
  }

  /** @param answer the bytes of each response, one character for each byte */
  static async start(answer: string): Promise<AnswerDuringStop> {
    const state = new Int32Array(new SharedArrayBuffer(3 * Int32Array.BYTES_PER_ELEMENT));
    const worker = new Worker(SERVER, { eval: true, workerData: { state, answer } });
    const [port] = await once(worker, 'message');
    return new AnswerDuringStop(worker, state, port);
  }

  /** The number of received requests. */
  get requests(): number {
    return Atomics.load(this.#state, REQUESTS);
  }

  /** Resolves when a request has arrived. It is answered only by {@link stop}. */
  async requested(): Promise<void> {
    await once(this.#worker, 'message');
  }

  /**
   * Blocks this thread until the response has been in its socket for some milliseconds. Later requests are answered
   * immediately.
   */
  stop(ms: number): void {
    const until = performance.now() + ms;
    Atomics.store(this.#state, MAY_ANSWER, 1);
    Atomics.notify(this.#state, MAY_ANSWER);
    Atomics.wait(this.#state, ANSWERED, 0);
    stopThread(until - performance.now());
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }
}

/** Blocks this thread, including timers and sockets, for a time. */
export function stopThread(ms: number): void {
  if (ms > 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)), 0, 0, ms);
}
