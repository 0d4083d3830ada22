import type { User } from '../../shared/flags/user.ts';
import { pauseSeconds, type Sdk } from '../scenarios/sdks.ts';
import { Client, type ClientContext, type Connection, type Socket } from './client.ts';
import { ClientSubscription, type Subscription } from './subscription.ts';

/** Opens one more connection, with a fresh token. @throws when it is refused */
type Open = () => Promise<Socket>;

/** Names of a server SDK's times, which asks for documents and not for evaluated flags. */
const SERVER = { handshake: 'handshake', sync: 'server sync' };

/** One SDK as its sources have it: pings, a user who identifies as somebody else, and coming back when it was closed. */
export class SdkClient {
  readonly #sdk: Sdk;
  readonly #subscription: Subscription;
  readonly #context: ClientContext;
  readonly #open: Open;
  /** Attempts to come back, since it was last connected or, where the SDK does so, since its process began. */
  #attempts = 0;

  constructor(sdk: Sdk, subscription: Subscription, open: Open, context: ClientContext) {
    this.#sdk = sdk;
    this.#subscription = subscription;
    this.#open = open;
    this.#context = context;
  }

  /**
   * Lives its life over as many connections as it takes.
   *
   * @param first the one that it has, which its opener closes
   * @param other who it identifies as at some time by chance, where it does
   */
  async live(first: Pick<Connection, 'socket' | 'beganAt'>, other?: User): Promise<void> {
    const times = this.#sdk.type === 'server' ? SERVER : {};
    const { random, endsAt } = this.#context;
    const comesBack = (code: number) => !this.#sdk.stopsAt.includes(code);
    let connection = new Client({ ...first, times, comesBack }, this.#subscription, this.#context);
    const identifies = setTimeout(
      () => {
        if (!other || !(this.#subscription instanceof ClientSubscription)) return;
        this.#subscription.identify(other);
        connection.ask('identify');
      },
      random() * (endsAt - performance.now()),
    );
    let opened: Socket | undefined;
    while (await connection.live()) {
      const lostAt = performance.now();
      const next = await this.#comeBack();
      if (!next) break;
      opened = next.socket;
      const again = { handshake: 'handshake again', sync: 'sync again' };
      connection = new Client({ ...next, times: again, lostAt, comesBack }, this.#subscription, this.#context);
    }
    clearTimeout(identifies);
    opened?.close();
  }

  /** @returns undefined when the run was over before */
  async #comeBack(): Promise<Pick<Connection, 'socket' | 'beganAt'> | undefined> {
    const { recorder, random, endsAt } = this.#context;
    for (;;) {
      const pauseMs = pauseSeconds(this.#sdk, this.#attempts++, random()) * 1_000;
      if (performance.now() + pauseMs >= endsAt) break;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
      const beganAt = performance.now();
      try {
        const socket = await this.#open();
        if (this.#sdk.isResetByOpening) this.#attempts = 0;
        recorder.count('came back');
        return { socket, beganAt };
      } catch {
        recorder.count('attempts refused');
      }
    }
    recorder.fail('not back when the run ended');
    return undefined;
  }
}
