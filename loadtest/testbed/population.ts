import { SDK_PING_SECONDS } from '../../shared/protocol/ping.ts';
import { encodeToken } from '../../shared/protocol/token.ts';
import { type Address, SdkSocket } from './sdkSocket.ts';
import { frameBytes } from './serverFrames.ts';

/** Where connections go, by which client key, and what their answers must be. */
export interface Target {
  readonly addresses: readonly Address[];
  readonly key: string;
  /** How many flags an answer holds for the asking user; undefined where a constant reply is sent. */
  readonly flags?: number;
}

/** What has become of connections so far. */
export interface Tally {
  readonly pings: number;
  readonly pongs: number;
  readonly errors: number;
  /** The first few errors in words. */
  readonly reasons: readonly string[];
}

/** When a change arrived at the connections, in milliseconds since the epoch. */
export interface Arrival {
  /** The change, by the flag's `updatedAt` in unix milliseconds. */
  readonly updatedAt: number;
  readonly count: number;
  readonly lastAt: number;
  /** Of all connections together, with the frames' heads. */
  readonly bytes: number;
}

/** Connections that one process keeps. Every answer is looked at: a wrong one is an error, not a sample. */
export class Population {
  readonly #target: Target;
  /** The oldest first. */
  readonly #open = new Set<SdkSocket>();
  readonly #arrivals = new Map<number, { count: number; lastAt: number; bytes: number }>();
  readonly #reasons: string[] = [];
  #opened = 0;
  #pings = 0;
  #pongs = 0;
  #errors = 0;
  #pinging: NodeJS.Timeout | undefined;
  #token = { text: '', at: Number.NEGATIVE_INFINITY };
  onAnswered: (socket: SdkSocket, now: number) => void = () => {};
  /** Called when a connection ends before its data-sync is answered. By default, this is an error. */
  onUnanswered: ((socket: SdkSocket) => void) | undefined;

  constructor(target: Target) {
    this.#target = target;
  }

  get tally(): Tally {
    return {
      pings: this.#pings,
      pongs: this.#pongs,
      errors: this.#errors,
      reasons: this.#reasons,
    };
  }

  get errors(): number {
    return this.#errors;
  }

  get open(): number {
    return this.#open.size;
  }

  /** What changes have arrived; a connection that gets one twice, or an older one, counts as an error. */
  get arrivals(): Arrival[] {
    return [...this.#arrivals].map(([updatedAt, arrival]) => ({ updatedAt, ...arrival }));
  }

  /** Opens one more. @param keyId its user; a new one by default */
  connect(keyId?: string): void {
    const n = this.#opened++;
    const { addresses } = this.#target;
    const address = addresses[n % addresses.length] as Address;
    this.#open.add(new SdkSocket(keyId ?? `bench-${process.pid}-${n}`, address, this.#requestTarget(), this));
  }

  /** Closes the one that has been open longest. */
  closeOldest(): void {
    const [oldest] = this.#open;
    if (!oldest) return;
    this.#open.delete(oldest);
    oldest.close();
  }

  /** Lets every connection ping in its turn, evenly, from now on. @param everyS seconds between two pings of a connection */
  keepPinging(everyS = SDK_PING_SECONDS): void {
    clearInterval(this.#pinging);
    let turn = this.#open.values();
    let due = 0;
    let last = performance.now();
    this.#pinging = setInterval(() => {
      const now = performance.now();
      due += ((now - last) / (everyS * 1_000)) * this.#open.size;
      last = now;
      for (; due >= 1; due--) {
        let next = turn.next();
        if (next.done) {
          turn = this.#open.values();
          next = turn.next();
        }
        if (next.done) return;
        next.value.ping();
        this.#pings++;
      }
    }, 10);
  }

  onText(socket: SdkSocket, text: string): void {
    const now = performance.now();
    if (text.startsWith('{"messageType":"pong"')) {
      this.#pongs++;
    } else if (!text.startsWith('{"messageType"')) {
      this.#fail(`no message of the service: ${text.slice(0, 200)}`);
    } else if (socket.answeredAt === 0) {
      socket.answeredAt = now;
      const problem = this.#problemOf(socket, text);
      if (problem) this.#fail(problem);
      this.onAnswered(socket, now);
    } else this.#takeChange(socket, text, performance.timeOrigin + now);
  }

  onEnd(socket: SdkSocket, why: string | undefined): void {
    this.#open.delete(socket);
    if (why === undefined) return;
    if (this.onUnanswered && socket.answeredAt === 0) this.onUnanswered(socket);
    else this.#fail(why);
  }

  #problemOf({ keyId }: SdkSocket, text: string): string | undefined {
    const { messageType, data } = JSON.parse(text);
    const { flags } = this.#target;
    if (messageType !== 'data-sync' || data.eventType !== 'full') return 'the answer is no full data-sync';
    if (flags === undefined) return undefined;
    if (data.featureFlags.length !== flags)
      return `the answer has ${data.featureFlags.length} flags in place of ${flags}`;
    return data.userKeyId === keyId ? undefined : 'the answer is for somebody else';
  }

  #takeChange(socket: SdkSocket, text: string, at: number): void {
    const position = Number(/"timestamp":(\d+)/.exec(text)?.[1]);
    if (!text.includes('"eventType":"patch"') || !(position > socket.lastChange))
      this.#fail(`out of order: ${text.slice(0, 200)}`);
    socket.lastChange = position;
    const arrival = this.#arrivals.get(position) ?? { count: 0, lastAt: 0, bytes: 0 };
    arrival.count++;
    arrival.lastAt = at;
    arrival.bytes += frameBytes(text);
    this.#arrivals.set(position, arrival);
  }

  #fail(why: string): void {
    this.#errors++;
    if (this.#reasons.length < 5) this.#reasons.push(why);
  }

  /** A token is good for half a minute; making one costs more than opening a connection. */
  #requestTarget(): string {
    const now = performance.now();
    if (now - this.#token.at > 1_000) this.#token = { text: encodeToken(this.#target.key, Date.now(), 7), at: now };
    return `/streaming?type=client&token=${this.#token.text}`;
  }
}
