const NOTHING = Buffer.alloc(0);

/** Bytes that come in pieces: each is copied, so that a dribbling sender costs no more than twice what it sent. */
export class Gathered {
  #room = NOTHING;
  #length = 0;

  get length(): number {
    return this.#length;
  }

  append(piece: Buffer): void {
    const length = this.#length + piece.length;
    if (length > this.#room.length) {
      const room = Buffer.allocUnsafeSlow(Math.max(length, 2 * this.#room.length));
      this.#room.copy(room, 0, 0, this.#length);
      this.#room = room;
    }
    piece.copy(this.#room, this.#length);
    this.#length = length;
  }

  /** All of them; from then on there are none. */
  take(): Buffer {
    const bytes = this.#room.subarray(0, this.#length);
    this.#room = NOTHING;
    this.#length = 0;
    return bytes;
  }
}
