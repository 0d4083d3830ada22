const HEAD_END = '\r\n\r\n';
const LAST_CHUNK = '0\r\n\r\n';

/** Reads the status and the size of an HTTP/1.1 response, in any number of chunks. */
export class HttpAnswer {
  /** 0 until the head is complete. */
  status = 0;
  /** Received bytes, with the head. */
  bytes = 0;
  #head = '';
  /** Bytes of the whole response. Undefined while unknown, and for a chunked body. */
  #size: number | undefined;
  #end = '';

  /** @returns true if the response is complete */
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
