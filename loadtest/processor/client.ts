import { type User, userDocument } from '../../shared/flags/user.ts';
import { Exchange, type Schedule } from './exchange.ts';
import type { Check } from './expectation.ts';
import type { Recorder } from './recorder.ts';
import type { Life } from './settings.ts';

/** What is used of artillery's WebSocket. */
export interface Socket {
  send(text: string): void;
  on(event: 'message', listener: (data: unknown) => void): void;
  on(event: 'close', listener: (code: number) => void): void;
  on(event: 'error', listener: (error: Error) => void): void;
  removeAllListeners(event: 'error'): void;
}

/** What all clients of a processor share. */
interface Surroundings {
  readonly recorder: Recorder;
  readonly check: Check;
  readonly life: Life;
  /** How long an answer may take, in milliseconds. */
  readonly answerMs: number;
  /** When everybody leaves, on the clock of `performance.now`. */
  readonly endsAt: number;
  readonly random: () => number;
}

/** One connected client: asks for its flags, checks them, then pings or sends heartbeats until its time is over. */
export class Client {
  readonly #socket: Socket;
  readonly #user: User;
  readonly #around: Surroundings;
  readonly #beganAt: number;
  readonly #syncedAt = performance.now();
  #exchange: Exchange | undefined;
  #isOver = false;
  /** Up to where it has all changes, unix milliseconds. */
  #cursor = 0;
  #end: () => void = () => {};

  /** @param beganAt when it began to connect, on the clock of `performance.now` */
  constructor(socket: Socket, user: User, beganAt: number, around: Surroundings) {
    this.#socket = socket;
    this.#user = user;
    this.#beganAt = beganAt;
    this.#around = around;
  }

  /** Lives its life. @returns when it is over, well or not */
  async live(): Promise<void> {
    const { recorder, answerMs } = this.#around;
    const ended = new Promise<void>((resolve) => {
      this.#end = resolve;
    });
    recorder.open++;
    recorder.count('opened');
    recorder.time('handshake', this.#syncedAt - this.#beganAt);
    // Artillery listens for errors of connecting, and would end its process at a later one.
    this.#socket.removeAllListeners('error');
    this.#socket.on('error', () => {});
    this.#socket.on('message', (data) => this.#take(String(data)));
    this.#socket.on('close', (code) => this.#onClose(code));
    const user = userDocument(this.#user);
    this.#socket.send(JSON.stringify({ messageType: 'data-sync', data: { timestamp: 0, user } }));
    recorder.count('syncs sent');
    const patience = setTimeout(() => {
      if (!this.#exchange) this.#fail(`no answer in ${answerMs / 1_000} s`);
    }, answerMs);
    await ended;
    this.#isOver = true;
    clearTimeout(patience);
    this.#exchange?.stop();
    recorder.open--;
  }

  #take(text: string): void {
    if (this.#isOver) return;
    if (text.startsWith('{"messageType":"data-sync"')) {
      if (this.#exchange) this.#takeChange(text);
      else this.#takeAnswer(text);
    } else if (/^\{"messageType":"(pong|echo)"/.test(text)) this.#exchange?.take(text);
    else this.#around.recorder.fail('a message of another kind');
  }

  #takeAnswer(text: string): void {
    const { recorder, check } = this.#around;
    const now = performance.now();
    const problem = check(this.#user, text);
    if (problem === undefined) {
      recorder.count('syncs answered');
      recorder.time('sync', now - this.#syncedAt);
      recorder.time('connect and sync', now - this.#beganAt);
    } else recorder.fail(problem);
    const send = (message: string) => this.#socket.send(message);
    this.#exchange = new Exchange(this.#scheduleFrom(now), recorder, send, () => {
      recorder.count('left');
      this.#end();
    });
  }

  #scheduleFrom(now: number): Schedule {
    const { life, endsAt, answerMs: patienceMs, random } = this.#around;
    if (life.heartbeat) {
      const { kind, everyMs, atLeast, atMost } = life.heartbeat;
      const count = atLeast + Math.floor(random() * (atMost - atLeast + 1));
      return { kind, firstAt: now + everyMs, everyMs, count, until: endsAt, patienceMs };
    }
    const until = Math.min(endsAt, life.liveMs === undefined ? endsAt : now + life.liveMs);
    const count = life.pingMs > 0 ? Number.POSITIVE_INFINITY : 0;
    const everyMs = life.pingMs > 0 ? life.pingMs : until - now;
    return { kind: 'ping', firstAt: now + everyMs, everyMs, count, until, patienceMs };
  }

  /** Changes come in order and each once; their time is told from the write, by the clocks of two machines. */
  #takeChange(text: string): void {
    const { recorder } = this.#around;
    const version = Number(/"timestamp":(\d+)/.exec(text)?.[1]);
    if (!text.includes('"eventType":"patch"') || !(version > this.#cursor)) {
      recorder.fail('a change twice or out of order');
      return;
    }
    this.#cursor = version;
    recorder.count(`change ${version}`);
    recorder.time('push', performance.timeOrigin + performance.now() - version);
  }

  #onClose(code: number): void {
    this.#around.recorder.count(`closed with ${code}`);
    if (!this.#isOver)
      this.#fail(this.#exchange ? `closed by the server with ${code}` : `closed with ${code}, unanswered`);
  }

  #fail(why: string): void {
    this.#around.recorder.fail(why);
    this.#end();
  }
}
