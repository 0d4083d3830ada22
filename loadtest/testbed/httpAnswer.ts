const HEAD_END = '\r\n\r\n';
const LAST_CHUNK = '0\r\n\r\n';

/** Reads one HTTP/1.1 answer, in whatever pieces it comes: its status and its size, and nothing of its body. */
export class HttpAnswer {
  /** 0 until the head has come. */
  status = 0;
  /** Bytes on the wire so far, with the head. */
  bytes = 0;
  #head = '';
  /** Bytes of the whole answer; undefined while unknown, and for a body in chunks. */
  #size: number | undefined;
  #end = '';

  /** @returns whether the answer is complete */
  read(chunk: Buffer): boolean {
    this.bytes += chunk.length;
    if (this.status === 0 && !this.#readHead(chunk)) return false;
    if (this.#size !== undefined) return this.bytes >= this.#size;
    this.#end = (this.#end + chunk.toString('latin1', Math.max(0, chunk.length - 5))).slice(-5);
    return this.#end === LAST_CHUNK;
  }

  #readHead(chunk: Buffer): boolean {
    this.#head += chunk.toString('latin1');
    const end = this.#head.indexOf(HEAD_END);
    if (end < 0) return false;
    const head = this.#head.slice(0, end);
    this.status = Number(head.slice(9, 12));
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
    if (this.status === 304 || this.status === 204) this.#size = end + HEAD_END.length;
    else if (length !== undefined) this.#size = end + HEAD_END.length + Number(length);
    this.#head = '';
    return true;
  }
}
