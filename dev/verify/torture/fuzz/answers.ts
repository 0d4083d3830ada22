import { type Frame, FrameDecoder, OPCODE } from './frames.ts';

/** Statuses of 500 and more that say that something is not offered, rather than that something broke. */
const NOT_OFFERED = new Set([501, 505]);

/** The head of an HTTP response. */
type ResponseHead = NonNullable<ReturnType<typeof readHead>>;

/** Reads the head of a response. @returns undefined while it is not complete @throws {Error} when it is none */
export function readHead(bytes: Buffer) {
  const end = bytes.indexOf('\r\n\r\n');
  const text = bytes.subarray(0, end === -1 ? 64 : end).toString('latin1');
  const [, status] = /^HTTP\/1\.1 (\d{3}) /.exec(text) ?? [];
  if (status === undefined && (text.length > 12 || end !== -1))
    throw new Error(`an answer begins with ${JSON.stringify(text)}`);
  if (end === -1) return undefined;
  const [, length] = /\r\ncontent-length: (\d+)/i.exec(text) ?? [];
  return {
    status: Number(status),
    /** Bytes of the head, its empty line included. */
    size: end + 4,
    /** Bytes of the body that follows, where it says so. */
    length: length === undefined ? undefined : Number(length),
    isJson: /\r\ncontent-type: application\/json/i.test(text) && !/\r\ncontent-encoding:/i.test(text),
  };
}

/** The problem of a response, or undefined. */
export function judgeResponse(head: ResponseHead, body: Buffer): string | undefined {
  if (head.status >= 500 && !NOT_OFFERED.has(head.status)) return `a request is answered ${head.status}`;
  if (!head.isJson || head.length !== body.length || body.length === 0) return undefined;
  try {
    JSON.parse(String(body));
    return undefined;
  } catch {
    return `a response of ${head.status} is no JSON: ${body.subarray(0, 100)}`;
  }
}

/** Checks the messages of a server on one WebSocket. */
export class Conversation {
  /** The status with which it was closed from the other side, 1005 for none. */
  closed: number | undefined;
  readonly #decoder = new FrameDecoder();
  readonly #mayEchoNormalClose: boolean;

  /** @param sent what was sent on it: a close frame with 1000 in it is answered with 1000 */
  constructor(sent: readonly Buffer[]) {
    const frames = new FrameDecoder().push(Buffer.concat(sent));
    this.#mayEchoNormalClose = frames.some((frame) => frame.opcode === OPCODE.close && readStatus(frame) === 1000);
  }

  /** More bytes came. @returns the texts in them @throws {Error} saying what a server must not send */
  receive(bytes: Buffer): string[] {
    return this.#decoder.push(bytes).flatMap((frame) => {
      if (frame.isMasked || frame.reserved !== 0) throw new Error('a frame has a mask or reserved bits');
      if (frame.opcode === OPCODE.close) this.#close(readStatus(frame));
      else if (frame.opcode === OPCODE.text) return [soundText(frame)];
      else if (frame.opcode !== OPCODE.ping && frame.opcode !== OPCODE.pong) {
        throw new Error(`a frame of opcode ${frame.opcode} came`);
      }
      return [];
    });
  }

  #close(status: number): void {
    this.closed = status;
    if (status === 1000 && !this.#mayEchoNormalClose) throw new Error('it was closed with 1000 by the service');
  }
}

function soundText({ payload, isLast }: Frame): string {
  const text = new TextDecoder('utf-8', { fatal: true }).decode(payload);
  if (!isLast) throw new Error('a message came in several frames');
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch {
    throw new Error(`a message is no JSON: ${text.slice(0, 100)}`);
  }
  const { messageType } = (message ?? {}) as { messageType?: unknown };
  if (typeof messageType !== 'string') throw new Error(`a message has no messageType: ${text.slice(0, 100)}`);
  return text;
}

function readStatus({ payload }: Frame): number {
  return payload.length < 2 ? 1005 : payload.readUInt16BE(0);
}
