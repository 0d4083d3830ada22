import type { Life } from '../scenarios/settings.ts';
import { Exchange, type Schedule } from './exchange.ts';
import type { Recorder } from './recorder.ts';
import type { Subscription } from './subscription.ts';

/** What is used of artillery's WebSocket. */
export interface Socket {
  send(text: string): void;
  on(event: 'message', listener: (data: unknown) => void): void;
  on(event: 'close', listener: (code: number) => void): void;
  on(event: 'error', listener: (error: Error) => void): void;
  removeAllListeners(event: 'error'): void;
  close(): void;
}

/** What the connections of a processor have in common. */
export interface ClientContext {
  readonly recorder: Recorder;
  readonly life: Life;
  /** How long an answer may take, in milliseconds. */
  readonly answerMs: number;
  /** When everybody leaves, on the clock of `performance.now`. */
  readonly endsAt: number;
  readonly random: () => number;
}

/** How a connection came to be, and what becomes of it; times on the clock of `performance.now`. */
export interface Connection {
  readonly socket: Socket;
  /** When it began to connect. */
  readonly beganAt: number;
  /** Names of its times; those of a client that comes for the first time unless given. */
  readonly times?: Partial<Times>;
  /** When the connection ended that this one is in place of. */
  readonly lostAt?: number;
  /** Whether its SDK comes back when the server closes it with a code: then that is no error. It never does unless given. */
  readonly comesBack?: (code: number) => boolean;
}

interface Times {
  readonly handshake: string;
  readonly sync: string;
}

const FIRST: Times = { handshake: 'handshake', sync: 'sync' };

/** One connection: asks for flags, checks them, then pings or sends heartbeats until its time is over. */
export class Client {
  readonly #connection: Connection;
  readonly #subscription: Subscription;
  readonly #context: ClientContext;
  #askedAt = performance.now();
  /** What the answer's time is called; undefined when none is waited for. */
  #waitsFor: string | undefined;
  #answerTimer: NodeJS.Timeout | undefined;
  #isWhole = false;
  #exchange: Exchange | undefined;
  #isOver = false;
  #isClosed = false;
  #end: () => void = () => {};

  constructor(connection: Connection, subscription: Subscription, context: ClientContext) {
    this.#connection = connection;
    this.#subscription = subscription;
    this.#context = context;
  }

  /** Lives its life, well or not. @returns whether the server ended it, and its SDK is to come back */
  async live(): Promise<boolean> {
    const { recorder } = this.#context;
    const { socket, beganAt, times } = this.#connection;
    const { handshake, sync } = { ...FIRST, ...times };
    const ended = new Promise<void>((resolve) => {
      this.#end = resolve;
    });
    recorder.open++;
    recorder.count('opened');
    recorder.time(handshake, this.#askedAt - beganAt);
    // Artillery listens for errors of connecting, and would end its process at a later one.
    socket.removeAllListeners('error');
    socket.on('error', () => {});
    socket.on('message', (data) => this.#take(String(data)));
    socket.on('close', (code) => this.#onClose(code));
    this.ask(sync);
    await ended;
    this.#isOver = true;
    clearTimeout(this.#answerTimer);
    this.#exchange?.stop();
    recorder.open--;
    return this.#isClosed;
  }

  /** Sends the subscription's data-sync. @param name of the time until it is answered */
  ask(name: string): void {
    if (this.#isOver) return;
    const { recorder, answerMs } = this.#context;
    clearTimeout(this.#answerTimer);
    this.#waitsFor = name;
    this.#isWhole = false;
    this.#askedAt = performance.now();
    this.#connection.socket.send(this.#subscription.request());
    recorder.count('syncs sent');
    this.#answerTimer = setTimeout(() => {
      if (this.#waitsFor !== undefined) this.#fail(`no answer in ${answerMs / 1_000} s`);
      else if (!this.#isWhole) this.#fail(`an answer was not whole in ${answerMs / 1_000} s`);
    }, answerMs);
  }

  #take(text: string): void {
    if (this.#isOver || this.#subscription.isOutdated(text)) return;
    if (text.startsWith('{"messageType":"data-sync"')) {
      if (this.#waitsFor !== undefined) this.#takeAnswer(text, this.#waitsFor);
      else this.#takeChange(text);
    } else if (/^\{"messageType":"(pong|echo)"/.test(text)) this.#exchange?.take(text);
    else this.#context.recorder.fail('a message of another kind');
  }

  #takeAnswer(text: string, time: string): void {
    const { recorder } = this.#context;
    const { beganAt, lostAt } = this.#connection;
    const now = performance.now();
    this.#waitsFor = undefined;
    const problem = this.#subscription.answer(text);
    if (problem === undefined) {
      recorder.count('syncs answered');
      recorder.time(time, now - this.#askedAt);
      if (time === FIRST.sync) recorder.time('connect and sync', now - beganAt);
      if (lostAt !== undefined && !this.#exchange) recorder.time('lost to answered', now - lostAt);
    } else recorder.fail(problem);
    this.#isWhole = this.#subscription.isWhole;
    const send = (message: string) => this.#connection.socket.send(message);
    this.#exchange ??= new Exchange(this.#scheduleFrom(now), recorder, send, () => {
      recorder.count('left');
      this.#end();
    });
  }

  #scheduleFrom(now: number): Schedule {
    const { life, endsAt, answerMs: timeoutMs, random } = this.#context;
    if (life.heartbeat) {
      const { kind, everyMs, atLeast, atMost } = life.heartbeat;
      const count = atLeast + Math.floor(random() * (atMost - atLeast + 1));
      return { kind, firstAt: now + everyMs, everyMs, count, until: endsAt, timeoutMs };
    }
    const until = Math.min(endsAt, life.liveMs === undefined ? endsAt : now + life.liveMs);
    const count = life.pingMs > 0 ? Number.POSITIVE_INFINITY : 0;
    const everyMs = life.pingMs > 0 ? life.pingMs : until - now;
    return { kind: 'ping', firstAt: now + everyMs, everyMs, count, until, timeoutMs };
  }

  /** Changes arrive once and in order. Their time is measured from the write, by the clocks of two machines. */
  #takeChange(text: string): void {
    const { recorder } = this.#context;
    const now = performance.now();
    const version = this.#subscription.change(text);
    if (version === undefined) recorder.fail('a change twice or out of order');
    else if (this.#isWhole) {
      const ms = performance.timeOrigin + now - version;
      recorder.time('push', ms);
      recorder.time(`change ${version}`, ms);
    } else if (this.#subscription.isWhole) {
      this.#isWhole = true;
      recorder.time('all parts', now - this.#askedAt);
    }
  }

  #onClose(code: number): void {
    const { recorder } = this.#context;
    recorder.count(`closed with ${code}`);
    if (this.#isOver) return;
    this.#isClosed = this.#connection.comesBack?.(code) ?? false;
    if (this.#isClosed) this.#end();
    else this.#fail(this.#exchange ? `closed by the server with ${code}` : `closed with ${code}, unanswered`);
  }

  #fail(why: string): void {
    this.#context.recorder.fail(why);
    this.#end();
  }
}
