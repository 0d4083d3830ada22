import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Conversation, judgeResponse, readHead } from './answers.ts';
import { textFrame } from './frames.ts';
import type { Visit } from './visits.ts';

/** Wait for an answer to a request or message that may be incomplete. */
const QUIET_MS = 250;

/** Maximum wait for an expected answer. It is longer than the retries of the service on its table. */
const ANSWER_TIMEOUT_MS = 30_000;

/** Time in which answers are not read. */
const UNREAD_MS = 1_500;

/** Maximum bytes of a response that are checked. */
const LOOKED_AT = 1024 * 1024;

const NO_MASK = Buffer.alloc(4);

/** A connection that can wait for bytes. */
class Line {
  readonly socket: Socket;
  /** Number of bytes that arrived, and the first ones. */
  received = 0;
  bytes: Buffer = Buffer.alloc(0);
  #wake = () => {};

  constructor(port: number) {
    this.socket = connect({ port, host: '127.0.0.1', noDelay: true });
    this.socket
      .on('error', () => {})
      .on('data', (chunk) => {
        this.received += chunk.length;
        if (this.bytes.length < LOOKED_AT) this.bytes = Buffer.concat([this.bytes, chunk]);
        this.#wake();
      })
      .on('close', () => this.#wake());
  }

  /** Writes at the speed of the reader. */
  async send(pieces: readonly Buffer[]): Promise<void> {
    for (const piece of pieces) {
      if (this.socket.destroyed) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      this.socket.once('close', resolve).write(piece, () => resolve());
      await promise;
      this.socket.off('close', resolve);
    }
  }

  /** Waits until a condition holds, the connection ends, or the time is over. It checks whenever bytes arrive. */
  async until(isMet: () => boolean, ms: number): Promise<void> {
    const end = performance.now() + ms;
    for (let left = ms; !isMet() && !this.socket.closed && left > 0; left = end - performance.now()) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      const timer = setTimeout(resolve, left);
      await promise;
      clearTimeout(timer);
    }
  }
}

/**
 * Runs a session with the server on a port of this machine.
 *
 * @param timeoutMs maximum wait for an expected answer
 * @returns the problem of the answers, or undefined
 */
export async function deliver(port: number, visit: Visit, timeoutMs = ANSWER_TIMEOUT_MS): Promise<string | undefined> {
  const line = new Line(port);
  try {
    return visit.opening
      ? await converse(line, visit, visit.opening, timeoutMs)
      : await request(line, visit, timeoutMs);
  } catch (error) {
    return (error as Error).message;
  } finally {
    line.socket.destroy();
  }
}

/** Sends raw bytes, and checks the first response. */
async function request(line: Line, { kind, pieces }: Visit, timeoutMs: number): Promise<string | undefined> {
  const isAnswered = () => {
    const head = readHead(line.bytes);
    return head !== undefined && (head.status === 101 || line.bytes.length - head.size >= (head.length ?? Infinity));
  };
  await line.send(pieces);
  const timeout = kind === 'upload' ? timeoutMs : QUIET_MS;
  for (let before = -1; line.received !== before && !isAnswered(); ) {
    before = line.received;
    await line.until(() => line.received !== before, timeout);
  }
  const head = line.received > LOOKED_AT ? undefined : readHead(line.bytes);
  return head && judgeResponse(head, line.bytes.subarray(head.size));
}

/** Opens a WebSocket, sends the pieces and then an echo, and checks all answers. */
async function converse(line: Line, visit: Visit, opening: Buffer, timeoutMs: number): Promise<string | undefined> {
  const { socket } = line;
  const { kind, number, pieces } = visit;
  let problem: string | undefined;
  let isEchoed = false;
  const echo = `{"messageType":"echo","data":"visit ${number}"}`;
  const take = (bytes: Buffer) => {
    try {
      if (conversation.receive(bytes).includes(echo)) isEchoed = true;
    } catch (error) {
      problem ??= (error as Error).message;
    }
  };
  await line.send([opening]);
  await line.until(() => line.bytes.includes('\r\n\r\n'), timeoutMs);
  const head = readHead(line.bytes);
  if (head?.status !== 101) return `a valid handshake is answered ${head?.status ?? 'with nothing'}`;
  const conversation = new Conversation(pieces);
  take(line.bytes.subarray(head.size));
  socket.prependListener('data', take);

  if (kind === 'unread') socket.pause();
  await line.send([...pieces, textFrame(echo, NO_MASK)]);
  if (kind === 'unread') {
    await sleep(UNREAD_MS);
    return undefined;
  }
  const isOver = () => isEchoed || problem !== undefined || conversation.closed !== undefined || socket.readableEnded;
  await line.until(isOver, kind === 'messages' ? timeoutMs : QUIET_MS);
  if (kind === 'messages' && !isOver() && !socket.closed)
    problem ??= `a connection that sent only whole messages is silent for ${timeoutMs} ms`;
  return problem;
}
