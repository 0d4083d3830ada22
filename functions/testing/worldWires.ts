import { UncertainPost } from '../gateway/connectionSender.ts';
import type { Steps } from './steps.ts';
import type { WorldSdk } from './worldSdk.ts';

/** Messages in transit to the SDKs of a world: delayed, but in order on each connection. */
export class WorldWires {
  readonly #steps: Steps;
  readonly #sdks: readonly WorldSdk[];
  readonly #onArrival: (sdk: WorldSdk) => void;
  readonly #asked = new Map<string, number>();
  /** The flags that each connection's SDK has once it got all accepted messages, with their versions. */
  readonly #handed = new Map<string, Map<string, number>>();
  /** Messages in transit to each connection, in order. */
  readonly #wires = new Map<string, Promise<void>>();

  /** @param onArrival called after an SDK has handled a message */
  constructor(steps: Steps, sdks: readonly WorldSdk[], onArrival: (sdk: WorldSdk) => void) {
    this.#steps = steps;
    this.#sdks = sdks;
    this.#onArrival = onArrival;
  }

  /** Notes a connection's data-sync and its number. @returns whether it is the connection's first */
  ask(id: string, number: number): boolean {
    const isFirst = !this.#asked.has(id);
    this.#asked.set(id, number);
    const sdk = this.#sdks.find(({ connection }) => connection === id);
    if (sdk && isFirst) this.#handed.set(id, sdk.store.versions());
    return isFirst;
  }

  /** The number of a connection's last data-sync. 0 if there was none. */
  asked(id: string): number {
    return this.#asked.get(id) ?? 0;
  }

  /** The versions of the flags that were handed to a connection, or that its SDK had before. */
  handed(id: string): ReadonlyMap<string, number> {
    return this.#handed.get(id) ?? new Map();
  }

  /**
   * Posts to a connection, as `@connections` does.
   *
   * @param trouble probability of a failure
   * @param answers number of the data-sync that it answers; 0 for a push
   */
  async post(id: string, text: string, trouble: number, answers = 0): Promise<'sent' | 'gone'> {
    await this.#steps.turn();
    if (!this.#sdks.some(({ connection }) => connection === id)) return 'gone';
    if (this.#steps.random() < trouble) {
      if (this.#steps.random() < 0.5) throw new Error('busy');
      // The message may still arrive later, at most until the connection's lease expires.
      if (answers > 0 && this.#steps.random() < 0.5) {
        void this.#steps.turn(this.#steps.random() * 10_000).then(() => this.carry(id, text, answers));
      }
      throw new UncertainPost(new Error('no answer'));
    }
    void this.carry(id, text, answers);
    return 'sent';
  }

  /** Delivers a message to an SDK, after earlier ones in transit to it. */
  carry(id: string, text: string, answers: number): Promise<void> {
    const { featureFlags } = JSON.parse(text).data;
    for (const { key, id: ofClient, updatedAt, timestamp } of featureFlags) {
      this.#handed.get(id)?.set(`flag:${key ?? ofClient}`, timestamp ?? Date.parse(updatedAt));
    }
    const arrive = async () => {
      await this.#steps.turn(this.#steps.random() * 50);
      const sdk = this.#sdks.find(({ connection }) => connection === id);
      sdk?.receive(text, this.#steps.now(), answers);
      if (sdk) this.#onArrival(sdk);
    };
    const arrived = (this.#wires.get(id) ?? Promise.resolve()).then(arrive);
    this.#wires.set(id, arrived);
    return arrived;
  }

  /** The messages in transit. */
  all(): Promise<void>[] {
    return [...this.#wires.values()];
  }
}
