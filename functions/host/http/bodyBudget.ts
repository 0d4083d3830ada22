import type { BodyRefusal, BodyReservation, BodyReservations } from '../../http/body.ts';

/** How long a body may take while others wait for memory, in milliseconds. */
const SLOW_MS = 1_000;

const FULL: BodyRefusal = {
  status: 429,
  message: 'the memory for request bodies is full; retry in a second',
};

/** A body in memory. */
interface Body {
  /** Arrival of its request, on the monotonic clock. */
  readonly since: number;
  readonly refuse: (refusal: BodyRefusal) => void;
  bytes: number;
}

/**
 * Limits the memory of request bodies over all connections, and the time of each. At the limit, bodies that take longer
 * than a second are refused, the slowest first. If that is not enough, the new body is refused.
 */
export class BodyBudget implements BodyReservations {
  readonly #limitBytes: number;
  readonly #timeoutMs: number;
  readonly #monotonic: () => number;
  #totalBytes = 0;
  /** Incoming bodies, the slowest first. */
  readonly #receiving = new Set<Body>();
  #timer: NodeJS.Timeout | undefined;

  /** @param timeoutMs time limit of a body; up to a quarter more is possible */
  constructor(limitBytes: number, timeoutMs: number, monotonic: () => number) {
    this.#limitBytes = limitBytes;
    this.#timeoutMs = timeoutMs;
    this.#monotonic = monotonic;
  }

  /** Bytes of bodies in memory. */
  get totalBytes(): number {
    return this.#totalBytes;
  }

  open(): BodyReservation {
    let resolve: (refusal: BodyRefusal) => void;
    const refused = new Promise<BodyRefusal>((settle) => {
      resolve = settle;
    });
    const refuse = (refusal: BodyRefusal) => {
      this.#forget(body);
      resolve(refusal);
    };
    const body: Body = { since: this.#monotonic(), refuse, bytes: 0 };
    this.#receiving.add(body);
    this.#timer ??= setInterval(() => this.#refuseLate(), this.#timeoutMs / 4);
    return {
      refused,
      take: (bytes) => this.#take(body, bytes),
      received: () => this.#unwatch(body),
      release: () => this.#forget(body),
    };
  }

  #take(body: Body, bytes: number): boolean {
    this.#makeRoom(bytes);
    if (!this.#receiving.has(body)) return false;
    if (!this.#fits(bytes)) {
      body.refuse(FULL);
      return false;
    }
    body.bytes += bytes;
    this.#totalBytes += bytes;
    return true;
  }

  #makeRoom(bytes: number): void {
    const tooLongAgo = this.#monotonic() - SLOW_MS;
    for (const body of this.#receiving) {
      if (this.#fits(bytes) || body.since > tooLongAgo) return;
      body.refuse(FULL);
    }
  }

  #fits(bytes: number): boolean {
    return this.#totalBytes + bytes <= this.#limitBytes;
  }

  #refuseLate(): void {
    const tooLongAgo = this.#monotonic() - this.#timeoutMs;
    for (const body of this.#receiving) {
      if (body.since > tooLongAgo) return;
      body.refuse({ status: 408, message: `the body did not arrive within ${this.#timeoutMs / 1_000} seconds` });
    }
  }

  #unwatch(body: Body): void {
    this.#receiving.delete(body);
    if (this.#receiving.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #forget(body: Body): void {
    this.#unwatch(body);
    this.#totalBytes -= body.bytes;
    body.bytes = 0;
  }
}
