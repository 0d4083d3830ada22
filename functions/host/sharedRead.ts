/**
 * Shares reads among callers, one at a time: each gets the result of a read that began after it called, so that it holds
 * whatever was there at the call; all who call during one read share the next.
 */
export class SharedRead<T> {
  readonly #read: () => Promise<T>;
  #current: Promise<T> | undefined;
  #next: Promise<T> | undefined;

  constructor(read: () => Promise<T>) {
    this.#read = read;
  }

  /** @throws what the read throws, to everybody who shares it */
  read(): Promise<T> {
    if (!this.#current) return this.#begin();
    this.#next ??= this.#current.then(
      () => this.#begin(),
      () => this.#begin(),
    );
    return this.#next;
  }

  #begin(): Promise<T> {
    this.#next = undefined;
    const reading = this.#read();
    this.#current = reading;
    const end = () => {
      if (this.#current === reading) this.#current = undefined;
    };
    reading.then(end, end);
    return reading;
  }
}
