import type { BodyRefusal, BodyReservation } from '../../http/body.ts';

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
 *
 * @param timeoutMs time limit of a body; up to a quarter more is possible
 */
export function createBodyBudget(limitBytes: number, timeoutMs: number, monotonic: () => number) {
  let totalBytes = 0;
  /** Incoming bodies, the slowest first. */
  const receiving = new Set<Body>();
  let timer: NodeJS.Timeout | undefined;
  const fits = (bytes: number) => totalBytes + bytes <= limitBytes;

  function take(body: Body, bytes: number): boolean {
    makeRoom(bytes);
    if (!receiving.has(body)) return false;
    if (!fits(bytes)) {
      body.refuse(FULL);
      return false;
    }
    body.bytes += bytes;
    totalBytes += bytes;
    return true;
  }

  function makeRoom(bytes: number): void {
    const tooLongAgo = monotonic() - SLOW_MS;
    for (const body of receiving) {
      if (fits(bytes) || body.since > tooLongAgo) return;
      body.refuse(FULL);
    }
  }

  function refuseLate(): void {
    const tooLongAgo = monotonic() - timeoutMs;
    for (const body of receiving) {
      if (body.since > tooLongAgo) return;
      body.refuse({ status: 408, message: `the body did not arrive within ${timeoutMs / 1_000} seconds` });
    }
  }

  function unwatch(body: Body): void {
    receiving.delete(body);
    if (receiving.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  function forget(body: Body): void {
    unwatch(body);
    totalBytes -= body.bytes;
    body.bytes = 0;
  }

  return {
    /** Bytes of bodies in memory. */
    get totalBytes() {
      return totalBytes;
    },
    open(): BodyReservation {
      let resolve: (refusal: BodyRefusal) => void;
      const refused = new Promise<BodyRefusal>((settle) => {
        resolve = settle;
      });
      const refuse = (refusal: BodyRefusal) => {
        forget(body);
        resolve(refusal);
      };
      const body: Body = { since: monotonic(), refuse, bytes: 0 };
      receiving.add(body);
      timer ??= setInterval(refuseLate, timeoutMs / 4);
      return {
        refused,
        take: (bytes) => take(body, bytes),
        received: () => unwatch(body),
        release: () => forget(body),
      };
    },
  };
}
