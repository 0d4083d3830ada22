import { WebSocket } from 'ws';
import type { SecretType } from '../../../../shared/protocol/secret.ts';
import type { Workspace } from '../../conformance/workspace.ts';
import type { Random } from '../random.ts';
import { GROUPS, KEY_IDS } from './documents.ts';
import type { Report } from './faults.ts';
import { ReaderCheck, type ReaderDeps } from './readerCheck.ts';
import { PUSH_MS } from './readerState.ts';
import type { SyncUser } from './replica.ts';

/** How a reader behaves. */
export interface ReaderBehavior {
  readonly type: SecretType;
  /** What it does on a connection now and then: go on as another user, or ask for everything again; else it stays. */
  readonly does: 'switch' | 'ask again' | 'stay';
}

/** How long an answer may take while the connection stands; the service itself gives up after 20 s. */
const ANSWER_MS = 30_000;

/** Close codes after which SDKs do not come back. */
const FINAL = new Set([1000, 4003]);

/** Statuses of a refused handshake that mean the secret. */
const FORBIDDEN = new Set([401, 403]);

/** A protocol client that comes back after every break with where it stands, and whose every message is checked. */
export class Reader {
  readonly name: string;
  readonly check: ReaderCheck;
  readonly #behavior: ReaderBehavior;
  readonly #random: Random;
  readonly #workspace: Pick<Workspace, 'url'>;
  readonly #report: Report;
  #socket: WebSocket | undefined;
  #timer: NodeJS.Timeout | undefined;
  #user: SyncUser | undefined;
  #isCalm = false;
  #hasLeft = false;

  constructor(
    workspace: Pick<Workspace, 'url'>,
    behavior: ReaderBehavior,
    random: Random,
    deps: Omit<ReaderDeps, 'type'>,
  ) {
    this.name = deps.name;
    this.#workspace = workspace;
    this.#behavior = behavior;
    this.#random = random;
    this.#report = deps.report;
    this.check = new ReaderCheck({ ...deps, type: behavior.type });
    if (behavior.type === 'client') this.#user = { keyId: random.pick(KEY_IDS), group: random.pick(GROUPS) };
    this.#connect();
  }

  /** It stays as it is from now on, once it is connected. */
  calm(): void {
    this.#isCalm = true;
  }

  leave(): void {
    this.#hasLeft = true;
    clearTimeout(this.#timer);
    this.#socket?.terminate();
    this.check.disconnect(performance.now());
  }

  #connect(): void {
    // The check is as strict as Go's SDK, which is given one item a patch.
    const headers = { 'User-Agent': 'fb-go-server-sdk' };
    const socket = new WebSocket(this.#workspace.url(this.#behavior.type), { perMessageDeflate: false, headers });
    this.#socket = socket;
    socket.on('open', () => this.#ask());
    socket.on('message', (data) => {
      const wasInSync = this.check.isInSync;
      this.check.receive(performance.now(), String(data));
      if (!wasInSync && this.check.isInSync) this.#plan();
    });
    socket.on('unexpected-response', (_, { statusCode = 0 }) => {
      if (FORBIDDEN.has(statusCode)) this.#report('refused', `${this.name}: the handshake was answered ${statusCode}`);
      socket.terminate();
    });
    socket.on('error', () => {});
    socket.on('close', (code, reason) => {
      clearTimeout(this.#timer);
      if (this.#hasLeft) return;
      if (FINAL.has(code)) this.#report('refused', `${this.name}: it was closed with ${code} ${reason}`);
      this.check.disconnect(performance.now());
      // As SDKs do, but sooner, and with as much chance in it.
      this.#timer = setTimeout(() => this.#connect(), this.#random.between(20, 500));
    });
  }

  #ask(isAnew = false): void {
    const user = this.#user;
    const timestamp = this.check.ask(performance.now(), user, isAnew);
    const customizedProperties = [{ name: 'group', value: user?.group }];
    const data = user ? { timestamp, user: { ...user, name: user.keyId, customizedProperties } } : { timestamp };
    this.#socket?.send(JSON.stringify({ messageType: 'data-sync', data }));
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#report('unanswered', `${this.name}: a data-sync had no answer for ${ANSWER_MS} ms`);
      this.#socket?.terminate();
    }, ANSWER_MS);
  }

  /** What it does next on this connection, after a while. */
  #plan(): void {
    clearTimeout(this.#timer);
    const random = this.#random;
    const { does } = this.#behavior;
    // Short, to meet what is under way; or long enough to see that something stays wrong.
    const isLong = random.chance(0.1);
    const restless = isLong ? random.between(PUSH_MS + 2_000, PUSH_MS + 10_000) : random.between(200, 4_000);
    const staysFor = does === 'stay' ? random.between(3_000, 60_000) : restless;
    this.#timer = setTimeout(() => {
      if (this.#isCalm) return;
      if (does === 'stay' || random.chance(0.1)) return this.#socket?.terminate();
      if (does === 'switch') this.#user = this.#nextUser();
      this.#ask(does === 'ask again');
    }, staysFor);
  }

  /** The same user with another attribute, as `identify()` makes it; or the next, who does not come again soon. */
  #nextUser(): SyncUser {
    const { keyId, group } = this.#user as SyncUser;
    const others = GROUPS.filter((each) => each !== group);
    const next = KEY_IDS[(KEY_IDS.indexOf(keyId) + 1) % KEY_IDS.length] ?? keyId;
    return { keyId: this.#random.chance(0.5) ? keyId : next, group: this.#random.pick(others) };
  }
}
