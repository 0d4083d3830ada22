import { clientFrame, readHead } from '../../dev/emulator/websocket/frames.ts';

/** Reads the frames of a server in any number of chunks: unmasked, unfragmented text and close frames. */
export class ServerFrames {
  #rest: Buffer | undefined;

  /** @returns the complete texts, and whether the server has closed */
  read(chunk: Buffer): { readonly texts: string[]; readonly isClosed: boolean } {
    const bytes = this.#rest ? Buffer.concat([this.#rest, chunk]) : chunk;
    const texts: string[] = [];
    let isClosed = false;
    let at = 0;
    for (let head = readHead(bytes); head; head = readHead(bytes, at)) {
      const end = at + head.size + head.length;
      if (end > bytes.length) break;
      if (head.opcode === 1) texts.push(bytes.toString('utf8', at + head.size, end));
      else if (head.opcode === 8) isClosed = true;
      at = end;
    }
    this.#rest = at < bytes.length ? bytes.subarray(at) : undefined;
    return { texts, isClosed };
  }
}

/** Size of a text message of a server in bytes, with its frame. */
export function frameBytes(text: string): number {
  const length = Buffer.byteLength(text);
  return length + (length < 126 ? 2 : length < 2 ** 16 ? 4 : 10);
}

/** A text message of a client. */
export function clientText(text: string): Buffer {
  return clientFrame({ first: 0x81, payload: Buffer.from(text) });
}

/** A close with code 1000, like an SDK that stops. */
export const CLIENT_CLOSE = clientFrame({ first: 0x88, payload: Buffer.from([0x03, 0xe8]) });
