import { type SdkUser, sdkUser } from '../../../support/sdkModel/message.ts';
import { SdkModel } from '../../../support/sdkModel/sdkModel.ts';
import { JS_RULES, STRICT_RULES } from '../../../support/sdkModel/sdkRules.ts';
import { PUSH_MS } from '../../../support/sdkModel/sentState.ts';
import { SocketSdk } from '../../../support/sdkModel/socketSdk.ts';
import type { CheckDeps } from '../../../support/sdkModel/syncCheck.ts';
import type { Workspace } from '../../conformance/workspace.ts';
import type { Random } from '../random.ts';
import { GROUPS, KEY_IDS } from './documents.ts';
import type { Report } from './faults.ts';

/** How a reader behaves. */
export interface ReaderBehavior {
  readonly type: 'client' | 'server';
  /** What it does on its connection from time to time: continues as another user, asks for everything again, or stays. */
  readonly does: 'switch' | 'ask again' | 'stay';
}

/** Maximum time until an answer on an open connection. The service itself gives up after 20 s. */
const ANSWER_MS = 30_000;

/** Close codes after which SDKs do not reconnect. */
const FINAL = new Set([1000, 4003]);

/** Statuses of a handshake that refuse the secret. */
const FORBIDDEN = new Set([401, 403]);

/** A client that reconnects with its cursor after every break. Its model checks every message. */
export class Reader {
  readonly name: string;
  readonly model: SdkModel;
  readonly #behavior: ReaderBehavior;
  readonly #random: Random;
  readonly #report: Report;
  readonly #sdk: SocketSdk;
  #timer: NodeJS.Timeout | undefined;
  #isCalm = false;

  constructor(
    workspace: Pick<Workspace, 'url'>,
    behavior: ReaderBehavior,
    random: Random,
    { name, report, ...deps }: CheckDeps & { readonly name: string; readonly report: Report },
  ) {
    const { type } = behavior;
    this.name = name;
    this.#behavior = behavior;
    this.#random = random;
    this.#report = report;
    this.model = new SdkModel(type === 'server' ? STRICT_RULES : JS_RULES, { name, report, ...deps });
    if (type === 'client') this.model.user = sdkUser(random.pick(KEY_IDS), { group: random.pick(GROUPS) });
    this.#sdk = new SocketSdk(this.model, () => workspace.url(type), {
      perMessageDeflate: false,
      onAsked: () => this.#awaitAnswer(),
      onReceived: ({ asked }) => asked && this.#plan(),
      onRefused: (statusCode) => {
        if (FORBIDDEN.has(statusCode)) report('refused', `${name}: the handshake was answered ${statusCode}`);
      },
      onClosed: (code, reason) => {
        if (FINAL.has(code)) report('refused', `${name}: it was closed with ${code} ${reason}`);
        // SDKs wait longer.
        this.#wait(random.between(20, 500), () => this.#sdk.connect());
      },
    });
    this.#sdk.connect();
  }

  /** Stays on its connection from now on. */
  calm(): void {
    this.#isCalm = true;
  }

  leave(): void {
    clearTimeout(this.#timer);
    this.#sdk.close();
  }

  #awaitAnswer(): void {
    this.#wait(ANSWER_MS, () => {
      this.#report('unanswered', `${this.name}: a data-sync had no answer for ${ANSWER_MS} ms`);
      this.#sdk.lose();
    });
  }

  /** Plans its next action on this connection. */
  #plan(): void {
    const random = this.#random;
    const { does } = this.#behavior;
    // Short, for messages in transit. Long, for items that stay wrong.
    const isLong = random.chance(0.1);
    const restless = isLong ? random.between(PUSH_MS + 2_000, PUSH_MS + 10_000) : random.between(200, 4_000);
    this.#wait(does === 'stay' ? random.between(3_000, 60_000) : restless, () => {
      if (this.#isCalm) return;
      if (does === 'stay' || random.chance(0.1)) return this.#sdk.lose();
      if (does === 'switch') this.model.user = this.#nextUser();
      this.#sdk.ask(does === 'ask again');
      this.#awaitAnswer();
    });
  }

  #wait(ms: number, act: () => void): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(act, ms);
  }

  /** The same user with another attribute, or the next user, who does not return soon. */
  #nextUser(): SdkUser {
    const { keyId, customizedProperties } = this.model.user as SdkUser;
    const others = GROUPS.filter((each) => each !== customizedProperties[0]?.value);
    const next = KEY_IDS[(KEY_IDS.indexOf(keyId) + 1) % KEY_IDS.length] ?? keyId;
    return sdkUser(this.#random.chance(0.5) ? keyId : next, { group: this.#random.pick(others) });
  }
}
