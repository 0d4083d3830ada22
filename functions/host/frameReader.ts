import { isUtf8 } from 'node:buffer';
import { isCloseCode, NO_CODE, OPCODE } from './frame.ts';
import { Gathered } from './gathered.ts';

/** What a client's frames say. */
export interface FrameEvents {
  onText(text: string): void;
  onBinary(): void;
  onPing(payload: Buffer): void;
  /** @param code 1005 when the frame has none */
  onCloseFrame(code: number, reason: string): void;
  /** What came breaks the protocol; nothing is read any more. @param code what to close with */
  onViolation(code: number): void;
}

const MASK_BYTES = 4;
const CONTROL_LIMIT = 125;

/** What the first bytes of a frame say. */
interface Head {
  readonly opcode: number;
  readonly isLast: boolean;
  /** Where its payload begins, after the mask. */
  readonly bytes: number;
  readonly payloadBytes: number;
}

/** A breach of the protocol, by the code it is closed with. */
const BROKEN = 1002;
const NOT_TEXT = 1007;
const TOO_LONG = 1009;

/**
 * Reads the frames that a client sends (RFC 6455, section 5), in whatever pieces they arrive. It is as strict as the `ws`
 * library, against which it is tested, and as soon: a frame that must not be is refused at its head.
 */
export class FrameReader {
  readonly #events: FrameEvents;
  readonly #limit: number;
  #isOver = false;
  /** The beginning of a frame whose rest has not come. */
  #pending: Gathered | undefined;
  /** How many bytes there must be to get any further with it. */
  #needed = 0;
  /** A message of which there have been fragments, and of which kind it is. */
  #message: Gathered | undefined;
  #messageOpcode = 0;

  /** @param limit the most bytes a message may have */
  constructor(events: FrameEvents, limit: number) {
    this.#events = events;
    this.#limit = limit;
  }

  /** @param chunk is unmasked in place, and not kept */
  read(chunk: Buffer): void {
    let bytes = chunk;
    if (this.#pending) {
      this.#pending.append(chunk);
      if (this.#pending.length < this.#needed) return;
      bytes = this.#pending.take();
      this.#pending = undefined;
    }
    let at = 0;
    while (at < bytes.length && !this.#isOver) {
      const read = this.#readFrame(bytes, at);
      if (read === 0) {
        if (this.#isOver) return;
        this.#pending = new Gathered();
        this.#pending.append(bytes.subarray(at));
        return;
      }
      at += read;
    }
  }

  /** @returns how many bytes the frame took; 0 when it is not all there */
  #readFrame(bytes: Buffer, at: number): number {
    const head = this.#readHead(bytes, at);
    if (!head) return 0;
    const start = at + head.bytes;
    const end = start + head.payloadBytes;
    if (end > bytes.length) {
      this.#needed = end - at;
      return 0;
    }
    unmask(bytes, start, end);
    this.#take(head, bytes.subarray(start, end));
    return end - at;
  }

  #readHead(bytes: Buffer, at: number): Head | undefined {
    const first = bytes[at];
    const second = bytes[at + 1];
    if (first === undefined || second === undefined) return this.#wait(2);
    const isLast = first >= 0x80;
    const opcode = first & 0x0f;
    const short = second & 0x7f;
    const isControl = opcode >= OPCODE.close;
    const isPart = opcode === OPCODE.continuation;
    if ((first & 0x70) !== 0 || opcode > OPCODE.pong || (opcode > OPCODE.binary && !isControl))
      return this.#end(BROKEN);
    if (isControl && (!isLast || short > CONTROL_LIMIT || (opcode === OPCODE.close && short === 1))) {
      return this.#end(BROKEN);
    }
    if (!isControl && isPart !== (this.#message !== undefined)) return this.#end(BROKEN);
    if (second < 0x80) return this.#end(BROKEN);

    const lengthBytes = short < 126 ? 0 : short === 126 ? 2 : 8;
    if (bytes.length < at + 2 + lengthBytes) return this.#wait(2 + lengthBytes);
    const payloadBytes =
      lengthBytes === 0
        ? short
        : lengthBytes === 2
          ? bytes.readUInt16BE(at + 2)
          : bytes.readUInt32BE(at + 2) * 2 ** 32 + bytes.readUInt32BE(at + 6);
    if (!isControl && payloadBytes + (this.#message?.length ?? 0) > this.#limit) return this.#end(TOO_LONG);
    return { opcode, isLast, bytes: 2 + lengthBytes + MASK_BYTES, payloadBytes };
  }

  #take({ opcode, isLast }: Head, payload: Buffer): void {
    if (opcode === OPCODE.ping) this.#events.onPing(payload);
    else if (opcode === OPCODE.close) this.#takeClose(payload);
    else if (opcode === OPCODE.pong) return;
    else if (isLast && !this.#message) this.#takeMessage(opcode, payload);
    else {
      if (!this.#message) {
        this.#message = new Gathered();
        this.#messageOpcode = opcode;
      }
      this.#message.append(payload);
      if (!isLast) return;
      const whole = this.#message.take();
      this.#message = undefined;
      this.#takeMessage(this.#messageOpcode, whole);
    }
  }

  #takeMessage(opcode: number, payload: Buffer): void {
    if (opcode === OPCODE.binary) this.#events.onBinary();
    else if (isUtf8(payload)) this.#events.onText(payload.toString());
    else this.#end(NOT_TEXT);
  }

  #takeClose(payload: Buffer): void {
    if (payload.length === 0) {
      this.#isOver = true;
      this.#events.onCloseFrame(NO_CODE, '');
      return;
    }
    const code = payload.readUInt16BE();
    const reason = payload.subarray(2);
    if (!isCloseCode(code)) this.#end(BROKEN);
    else if (!isUtf8(reason)) this.#end(NOT_TEXT);
    else {
      this.#isOver = true;
      this.#events.onCloseFrame(code, reason.toString());
    }
  }

  #wait(needed: number): undefined {
    this.#needed = needed;
  }

  #end(code: number): undefined {
    this.#isOver = true;
    this.#pending = undefined;
    this.#message = undefined;
    this.#events.onViolation(code);
  }
}

/** The mask is in the four bytes before the payload. */
function unmask(bytes: Buffer, start: number, end: number): void {
  const mask = start - MASK_BYTES;
  for (let i = start; i < end; i++) bytes[i] = (bytes[i] as number) ^ (bytes[mask + ((i - start) & 3)] as number);
}
