import type { PatchContents } from '../../shared/delivery/sdk.ts';
import type { SecretType } from '../../shared/protocol/secret.ts';
import { UncertainPost } from '../gateway/connectionSender.ts';
import type { Steps } from './steps.ts';

/** The content of a data-sync. */
export interface DataSync {
  readonly timestamp: number;
  readonly user?: unknown;
}

/** An SDK of a world: its requests and its received messages. */
export interface WorldSdk {
  readonly type: SecretType;
  readonly patchContents?: PatchContents;
  /** Its current connection. */
  connection: string | undefined;
  request(): DataSync;
  /** The reply to a data-sync, or a part of it. @param isLatest whether it has not asked again since */
  answer(text: string, isLatest: boolean): void;
  push(text: string): void;
  /** Its cursor, and the versions of its flags. */
  has(): { readonly cursor: number; readonly versions: ReadonlyMap<string, number> };
}

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

  /** Counts a connection's data-sync. @returns its number */
  ask(id: string): number {
    const nth = this.asked(id) + 1;
    this.#asked.set(id, nth);
    const sdk = this.#sdks.find(({ connection }) => connection === id);
    if (sdk && !this.#handed.has(id)) this.#handed.set(id, new Map(sdk.has().versions));
    return nth;
  }

  /** How often a connection has asked. */
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
   * @param answers number of the data-sync that it answers; undefined for a push
   */
  async post(id: string, text: string, trouble: number, answers?: number): Promise<'sent' | 'gone'> {
    await this.#steps.turn();
    if (!this.#sdks.some(({ connection }) => connection === id)) return 'gone';
    if (this.#steps.random() < trouble) {
      if (this.#steps.random() < 0.5) throw new Error('busy');
      // The message may still arrive later, at most until the connection's lease expires.
      if (answers !== undefined && this.#steps.random() < 0.5) {
        void this.#steps.turn(this.#steps.random() * 10_000).then(() => this.carry(id, text, answers));
      }
      throw new UncertainPost(new Error('no answer'));
    }
    void this.carry(id, text, answers);
    return 'sent';
  }

  /** Delivers a message to an SDK, after earlier ones in transit to it. */
  carry(id: string, text: string, answers?: number): Promise<void> {
    const { featureFlags } = JSON.parse(text).data;
    for (const { key, id: ofClient, updatedAt, timestamp } of featureFlags) {
      this.#handed.get(id)?.set(key ?? ofClient, timestamp ?? Date.parse(updatedAt));
    }
    const arrive = async () => {
      await this.#steps.turn(this.#steps.random() * 50);
      const sdk = this.#sdks.find(({ connection }) => connection === id);
      if (answers === undefined) sdk?.push(text);
      else sdk?.answer(text, answers === this.#asked.get(id));
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
