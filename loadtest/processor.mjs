/*
 * The steps of data-sync.yml, heartbeat.yml and push.yml. The file needs no packages, so `artillery run` and `run-fargate` work
 * with it alone. Campaigns use the same steps, and also check each flag (processor/main.ts). Times are in milliseconds.
 */

/** Maximum time of a handshake, and of a reply. */
export const TIMEOUT_MS = 10_000;

/** Writes a number in FeatBit's digits, with leading zeros up to `width`. */
const encode = (value, width = 1) =>
  String(value)
    .padStart(width, '0')
    .replace(/\d/g, (digit) => 'QBWSPHDXZU'[digit]);

/** FeatBit's token for one connection: the SDK key with the time at a random position. It is valid for 30 s. */
export function makeToken(key, now = Date.now(), random = Math.random()) {
  const secret = key.replace(/=+$/, '');
  const position = 2 + Math.floor(random * (secret.length - 2));
  const time = encode(now);
  return encode(position, 3) + encode(time.length, 2) + secret.slice(0, position) + time + secret.slice(position);
}

/** Ends a run without a key, with one line. */
export function requireKey(_context, _events, done) {
  if (process.env.FLAGWIRE_CLIENT_KEY) return done();
  console.error('Set FLAGWIRE_CLIENT_KEY to a client-side SDK key of the target.');
  process.exit(1);
}

/** Time at which all connections of this process close. */
let endsAt;

/** Connects to the target's streaming path with a new token. */
export function connect(request, { vars }, done, key = process.env.FLAGWIRE_CLIENT_KEY) {
  endsAt ??= performance.now() + vars.end * 1_000;
  Object.assign(vars, { beganAt: performance.now(), endsAt });
  request.target = `${request.target.replace(/\/(streaming)?\/?$/, '')}/streaming?type=client&token=${makeToken(key)}`;
  request.options = { ...request.options, handshakeTimeout: TIMEOUT_MS, perMessageDeflate: false };
  done();
}

/** Requests the flags of a new user, and waits for the reply. */
export async function dataSync(context, events) {
  const { ws: socket, vars } = context;
  const report = {
    count: (name) => events.emit('counter', name, 1),
    time: (name, ms) => events.emit('histogram', name, ms),
    fail: (why) => events.emit('error', why),
  };
  const keyId = `load-${vars.$uuid}`;
  const user = { keyId, name: vars.station ?? keyId, customizedProperties: [] };
  context.session = new Session({ ...vars, socket, report }, new Subscription(user));
  await context.session.sync();
}

/** Holds the connection: sends a message every `ping` seconds, and receives changes of flags. */
export async function hold({ vars, session }) {
  await session.hold(vars);
}

/** A user, and the newest version received (unix milliseconds). */
export class Subscription {
  cursor = 0;

  constructor(user) {
    this.user = user;
  }

  /** Data of the data-sync request. */
  request() {
    return { timestamp: this.cursor, user: this.user };
  }

  /** Takes a reply. @returns {string | undefined} its error */
  answer(text) {
    if (!text.includes(`"userKeyId":${JSON.stringify(this.user.keyId)}`)) return 'an answer is for somebody else';
    this.cursor = Math.max(this.cursor, ...versionsIn(text));
    return undefined;
  }

  /** Takes a change. @returns its version; undefined if it is a duplicate or out of order */
  change(text) {
    const version = Math.max(...versionsIn(text));
    if (!text.includes('"eventType":"patch"') || !(version > this.cursor)) return undefined;
    this.cursor = version;
    return version;
  }
}

/** Versions of flags. Inside a value the quotes would be escaped. */
const versionsIn = (text) => Array.from(text.matchAll(/"timestamp":(\d+)/g), ([, version]) => Number(version));

/** One connection. Its steps throw an error if it ends too early. */
export class Session {
  isOver = false;
  #problem; // reason of an early end
  #messages = new Map(); // messages without a reply
  #replies = 0;
  #checks = new Set(); // callbacks of waiting steps
  #isAnswered = true;
  #requestedAt = performance.now();

  constructor({ socket, beganAt, endsAt, report }, subscription) {
    this.socket = socket;
    this.beganAt = beganAt;
    this.endsAt = endsAt;
    this.report = report;
    this.subscription = subscription;
    report.count('opened');
    report.time('handshake', this.#requestedAt - beganAt);
    // Artillery's own listener ends the process at an error after the handshake.
    socket.removeAllListeners('error');
    socket.on('error', () => {});
    socket.on('message', (data) => this.#receive(String(data)));
    socket.on('close', (code) => {
      report.count(`closed with ${code}`);
      if (!this.isOver)
        this.end(this.#isAnswered ? `closed by the server with ${code}` : `closed with ${code}, unanswered`);
    });
  }

  /** Sends a data-sync request, and waits for the reply. */
  async sync() {
    this.#isAnswered = false;
    this.#requestedAt = performance.now();
    this.socket.send(JSON.stringify({ messageType: 'data-sync', data: this.subscription.request() }));
    this.report.count('syncs sent');
    await this.#wait(this.#requestedAt + TIMEOUT_MS, () => this.#isAnswered);
    if (this.#isAnswered || this.isOver) return;
    this.end(`no answer in ${TIMEOUT_MS / 1_000} s`);
    await this.#wait(0);
  }

  /**
   * Sends a message every `ping` seconds (0: never) until `end`, for `live` seconds, or `atLeast` to `atMost` messages. Messages keep their
   * times while replies are late. Then waits for the last replies.
   */
  async hold({ ping, message = 'ping', live = Infinity, atLeast = Infinity, atMost = atLeast }) {
    const beganAt = performance.now();
    const until = Math.min(this.endsAt, beganAt + live * 1_000);
    const count = atLeast === atMost ? atLeast : atLeast + Math.floor(Math.random() * (atMost - atLeast + 1));
    const dueAt = (n) => (ping > 0 ? Math.min(until, beganAt + (n + 1) * ping * 1_000) : until);
    let n = 0;
    for (; n < count && dueAt(n) < until; n++) {
      await this.#wait(dueAt(n));
      if (this.isOver) return;
      const sentAt = performance.now();
      // Timers can be a fraction of a millisecond early.
      this.#messages.set(n, { dueAt: Math.min(dueAt(n), sentAt), sentAt });
      this.report.count('messages sent');
      this.socket.send(JSON.stringify({ messageType: message, data: message === 'ping' ? null : { n } }));
    }
    await this.#wait(dueAt(n));
    await this.#wait(performance.now() + TIMEOUT_MS, () => this.#messages.size === 0);
    if (this.isOver) return;
    for (const _ of this.#messages) this.report.fail('a message without a reply');
    this.report.count('left');
    this.end();
  }

  /** Ends the session. @param [problem] reason of an early end */
  end(problem) {
    this.isOver = true;
    this.#problem = problem;
    for (const check of this.#checks) check();
  }

  #receive(text) {
    if (this.isOver) return;
    if (!text.startsWith('{"messageType":"data-sync"')) this.#takeReply(text);
    else if (this.#isAnswered) this.#takeChange(text);
    else this.#takeAnswer(text);
    for (const check of this.#checks) check();
  }

  #takeAnswer(text) {
    const now = performance.now();
    this.#isAnswered = true;
    const problem = this.subscription.answer(text);
    if (problem) this.report.fail(problem);
    else {
      this.report.count('syncs answered');
      this.report.time('sync', now - this.#requestedAt);
      this.report.time('connect and sync', now - this.beganAt);
    }
  }

  #takeChange(text) {
    const now = performance.now();
    const version = this.subscription.change(text);
    if (version === undefined) this.report.fail('a change twice or out of order');
    else this.report.time('push', performance.timeOrigin + now - version, version);
  }

  #takeReply(text) {
    const now = performance.now();
    if (!/^\{"messageType":"(pong|echo)"/.test(text)) return this.report.fail('a message of another kind');
    // A pong has no number. Pongs arrive in order.
    const n = Number(/"n":(\d+)/.exec(text)?.[1] ?? this.#replies);
    const message = this.#messages.get(n);
    if (!message) return this.report.fail('an unexpected reply');
    this.#messages.delete(n);
    this.#replies++;
    this.report.count('messages answered');
    this.report.time('send to reply', now - message.sentAt);
    this.report.time('intended to reply', now - message.dueAt);
  }

  /** Waits until a time, a condition, or the end of the session. */
  async #wait(time, isMet = () => false) {
    await new Promise((resolve) => {
      const timer = setTimeout(() => check(true), Math.max(0, time - performance.now()));
      const check = (isTime = false) => {
        if (!isTime && !this.isOver && !isMet()) return;
        clearTimeout(timer);
        this.#checks.delete(check);
        resolve(undefined);
      };
      this.#checks.add(check);
      check();
    });
    if (this.#problem) throw new Error(this.#problem);
  }
}
