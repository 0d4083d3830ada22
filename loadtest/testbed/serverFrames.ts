/** Reads the frames of a server in any number of chunks: unmasked, unfragmented text and close frames. */
export class ServerFrames {
  #rest: Buffer | undefined;

  /** @returns the complete texts, and whether the server has closed */
  read(chunk: Buffer): { readonly texts: string[]; readonly isClosed: boolean } {
    const bytes = this.#rest ? Buffer.concat([this.#rest, chunk]) : chunk;
    const texts: string[] = [];
    let isClosed = false;
    let at = 0;
    while (at + 2 <= bytes.length) {
      const short = bytes[at + 1] as number;
      const head = short < 126 ? 2 : short === 126 ? 4 : 10;
      if (at + head > bytes.length) break;
      const length =
        short < 126 ? short : short === 126 ? bytes.readUInt16BE(at + 2) : Number(bytes.readBigUInt64BE(at + 2));
      const end = at + head + length;
      if (end > bytes.length) break;
      const opcode = (bytes[at] as number) & 0x0f;
      if (opcode === 1) texts.push(bytes.toString('utf8', at + head, end));
      else if (opcode === 8) isClosed = true;
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

/** A text message of a client. Its mask is zero, which is valid and costs no CPU time. */
export function clientText(text: string): Buffer {
  return clientFrame(0x81, Buffer.from(text));
}

/** A close with code 1000, like an SDK that stops. */
export const CLIENT_CLOSE = clientFrame(0x88, Buffer.from([0x03, 0xe8]));

function clientFrame(first: number, payload: Buffer): Buffer {
  const { length } = payload;
  const head =
    length < 126 ? Buffer.from([first, 0x80 | length]) : Buffer.from([first, 0xfe, length >> 8, length & 255]);
  return Buffer.concat([head, Buffer.alloc(4), payload]);
}
