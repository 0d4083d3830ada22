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

/** Bytes of a response that are looked at. */
const LOOKED_AT = 1024 * 1024;

const NO_MASK = Buffer.alloc(4);

/** A connection, and the means to wait for what comes on it: bytes, its end, or that the time is over. */
interface Line {
  readonly socket: Socket;
  readonly wait: (ms: number) => Promise<void>;
  readonly timeoutMs: number;
}

/**
 * Pays a visit to whatever listens on a port of this machine.
 *
 * @param timeoutMs how long to wait for an answer that must come
 * @returns what is wrong with the answers; nothing, if undefined
 */
export async function deliver(port: number, visit: Visit, timeoutMs = ANSWER_TIMEOUT_MS): Promise<string | undefined> {
  const line = open(port, timeoutMs);
  try {
    return visit.opening ? await converse(line, visit, visit.opening) : await request(line, visit);
  } catch (error) {
    return (error as Error).message;
  } finally {
    line.socket.destroy();
  }
}

/** Sends raw bytes, and checks the first response. */
async function request(line: Line, { kind, pieces }: Visit): Promise<string | undefined> {
  const { socket, timeoutMs } = line;
  const chunks: Buffer[] = [];
  let received = 0;
  const isAnswered = () => {
    if (received === 0) return false;
    const bytes = Buffer.concat(chunks);
    const head = readHead(bytes);
    return head !== undefined && (head.status === 101 || bytes.length - head.size >= (head.length ?? Infinity));
  };
  socket.on('data', (chunk) => {
    if (received < LOOKED_AT) chunks.push(chunk);
    received += chunk.length;
  });
  await send(socket, pieces);
  const timeout = kind === 'upload' ? timeoutMs : QUIET_MS;
  for (let before = -1; received !== before && !isAnswered(); ) {
    before = received;
    await until(line, () => received !== before, timeout);
  }
  if (received === 0 || received > LOOKED_AT) return undefined;
  const bytes = Buffer.concat(chunks);
  const head = readHead(bytes);
  return head && judgeResponse(head, bytes.subarray(head.size));
}

/** Opens a WebSocket, sends the pieces and then an echo, and checks all answers. */
async function converse(line: Line, visit: Visit, opening: Buffer): Promise<string | undefined> {
  const { socket, timeoutMs } = line;
  const { kind, number, pieces } = visit;
  let waiting: Buffer = Buffer.alloc(0);
  let conversation: Conversation | undefined;
  let problem: string | undefined;
  let isEchoed = false;
  const echo = `{"messageType":"echo","data":"visit ${number}"}`;
  const take = (bytes: Buffer) => {
    try {
      if (conversation?.receive(bytes).includes(echo)) isEchoed = true;
    } catch (error) {
      problem ??= (error as Error).message;
    }
  };
  socket.on('data', (chunk) => {
    if (conversation) take(chunk);
    else waiting = Buffer.concat([waiting, chunk]);
  });
  await send(socket, [opening]);
  await until(line, () => waiting.includes('\r\n\r\n'), timeoutMs);
  const head = readHead(waiting);
  if (head?.status !== 101) return `a sound handshake is answered ${head?.status ?? 'with nothing'}`;
  conversation = new Conversation(pieces);
  take(waiting.subarray(head.size));

  if (kind === 'unread') socket.pause();
  await send(socket, [...pieces, textFrame(echo, NO_MASK)]);
  if (kind === 'unread') {
    await sleep(UNREAD_MS);
    return undefined;
  }
  const isOver = () => isEchoed || problem !== undefined || conversation?.closed !== undefined || socket.readableEnded;
  await until(line, isOver, kind === 'messages' ? timeoutMs : QUIET_MS);
  if (kind === 'messages' && !isOver() && !socket.closed)
    problem ??= `a connection that sent only whole messages is silent for ${timeoutMs} ms`;
  return problem;
}

function open(port: number, timeoutMs: number): Line {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  let wake = () => {};
  const wakeUp = () => wake();
  socket
    .on('error', () => {})
    .on('data', wakeUp)
    .on('close', wakeUp);
  const wait = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  return { socket, wait, timeoutMs };
}

/** Writes at the speed of the reader. */
async function send(socket: Socket, pieces: readonly Buffer[]): Promise<void> {
  for (const piece of pieces) {
    if (socket.destroyed) return;
    await new Promise<void>((resolve) => {
      socket.once('close', resolve);
      socket.write(piece, () => {
        socket.off('close', resolve);
        resolve();
      });
    });
  }
}

/** Waits until something is so, looking whenever bytes have come. */
async function until({ socket, wait }: Line, isSo: () => boolean, ms: number): Promise<void> {
  const end = performance.now() + ms;
  for (let left = ms; !isSo() && !socket.closed && left > 0; left = end - performance.now()) await wait(left);
}
