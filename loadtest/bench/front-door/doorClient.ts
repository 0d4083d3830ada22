import { sdkUser } from '../../../dev/support/sdkModel/message.ts';
import { SdkModel } from '../../../dev/support/sdkModel/sdkModel.ts';
import { JS_RULES, STRICT_RULES } from '../../../dev/support/sdkModel/sdkRules.ts';
import { SocketSdk } from '../../../dev/support/sdkModel/socketSdk.ts';
import type { CheckDeps } from '../../../dev/support/sdkModel/syncCheck.ts';
import type { SecretType } from '../../../shared/protocol/secret.ts';
import { pauseSeconds, SDKS } from '../../testbed/sdks.ts';

const KINDS = Object.values(SDKS);

/** A client with the pauses of one of FeatBit's SDKs. Its model checks every message. */
export class DoorClient {
  readonly model: SdkModel;
  /** Seconds from its start, or the last {@link begin}, until a data-sync was answered. */
  seconds = Infinity;
  /** Number of its refused handshakes. */
  refused = 0;
  readonly #sdk: SocketSdk;
  #beganAt = performance.now();
  #timer: NodeJS.Timeout | undefined;

  /** @param n selects the SDK */
  constructor(n: number, url: (type: SecretType) => string, deps: CheckDeps) {
    const kind = KINDS[n % KINDS.length] as (typeof KINDS)[number];
    const { type } = kind;
    this.model = new SdkModel(type === 'client' ? JS_RULES : STRICT_RULES, deps);
    if (type === 'client') this.model.user = sdkUser(`u${n % 12}`, { group: 'red' });
    /** The first attempt is one that was made already. */
    let attempts = 1;
    let wasOpen = false;
    this.#sdk = new SocketSdk(this.model, () => url(type), {
      perMessageDeflate: false,
      onAsked: () => {
        if (kind.isResetByOpening || !wasOpen) attempts = 0;
        wasOpen = true;
      },
      onReceived: ({ asked }) => {
        if (asked) this.seconds = Math.min(this.seconds, (performance.now() - this.#beganAt) / 1_000);
      },
      onRefused: () => this.refused++,
      onClosed: () => {
        const pauseMs = pauseSeconds(kind, attempts++, Math.random()) * 1_000;
        this.#timer = setTimeout(() => this.#sdk.connect(), pauseMs);
      },
    });
    this.#sdk.connect();
  }

  /** Begins to measure its time again. */
  begin(): void {
    this.seconds = Infinity;
    this.#beganAt = performance.now();
  }

  /** Loses its connection. */
  lose(): void {
    this.begin();
    this.#sdk.lose();
  }

  leave(): void {
    this.#sdk.close();
    clearTimeout(this.#timer);
  }
}
