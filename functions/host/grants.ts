import { setImmediate as turn } from 'node:timers/promises';
import type { SecretCache } from '../../shared/store/secretCache.ts';
import type { SecretGrant } from '../../shared/store/secrets.ts';
import { REFUSAL, type Transport } from './transport.ts';

/** How often a secret that somebody is connected with is looked up again; the answer may be as old as the cache allows. */
const RECHECK_MS = 15_000;
/** How often it is looked which of them are due. */
const LOOK_MS = 1_000;
/** Secrets looked up at once. */
const AT_ONCE = 50;
/** Connections ended before others get their turn. */
const SLICE = 200;

/** What the look-out needs, and whom it tells. */
export interface GrantsParts {
  readonly secrets: Pick<SecretCache, 'find'>;
  /** Unix milliseconds. */
  readonly now: () => number;
  /** Told of each connection that was ended, and why. */
  readonly onRefused: (reason: string) => void;
  readonly onFailed: (error: unknown) => void;
}

/** A secret that somebody is connected with, and what it opened when it was last looked up. */
interface Held {
  grant: SecretGrant;
  lookedUpAt: number;
  readonly transports: Set<Transport>;
}

/**
 * Ends connections whose secret was revoked or deleted with 4003, after which FeatBit's SDKs do not come back: within
 * `SECRET_CACHE_MS`, 15 seconds and one more, and the time that the look-up takes. While the table is away nobody is ended
 * but by an end that was known before.
 */
export class Grants {
  readonly #parts: GrantsParts;
  readonly #held = new Map<string, Held>();
  #isLookingUp = false;
  #looking: NodeJS.Timeout | undefined;

  constructor(parts: GrantsParts) {
    this.#parts = parts;
  }

  /** Begins to look after what is held. */
  watch(): void {
    this.#looking = setInterval(() => this.look(), LOOK_MS);
  }

  stop(): void {
    clearInterval(this.#looking);
  }

  /**
   * Looks after a connection that a secret let in.
   *
   * @returns what to call when the connection has ended
   */
  hold({ secret, grant }: { readonly secret: string; readonly grant: SecretGrant }, transport: Transport): () => void {
    const held = this.#held.get(secret) ?? { grant, lookedUpAt: this.#parts.now(), transports: new Set() };
    this.#held.set(secret, held);
    held.grant = grant;
    held.transports.add(transport);
    return () => {
      held.transports.delete(transport);
      if (held.transports.size === 0) this.#drop(secret, held);
    };
  }

  /** Ends what has come to its known end, and looks up what is due. */
  look(): void {
    const now = this.#parts.now();
    const due: [string, Held][] = [];
    for (const [secret, held] of this.#held) {
      if (now >= (held.grant.revokedAt ?? Number.POSITIVE_INFINITY)) void this.#end(secret, held);
      // By the distance: a clock that was set back must not prolong anything.
      else if (Math.abs(now - held.lookedUpAt) >= RECHECK_MS) due.push([secret, held]);
    }
    if (!this.#isLookingUp) void this.#lookUpAll(due);
  }

  async #lookUpAll(due: readonly [string, Held][]): Promise<void> {
    this.#isLookingUp = true;
    const left = due.values();
    const lookUpInTurn = async () => {
      for (const [secret, held] of left) if (this.#held.get(secret) === held) await this.#lookUp(secret, held);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, lookUpInTurn));
    this.#isLookingUp = false;
  }

  async #lookUp(secret: string, held: Held): Promise<void> {
    held.lookedUpAt = this.#parts.now();
    try {
      const grant = await this.#parts.secrets.find(secret);
      if (grant) held.grant = grant;
      else await this.#end(secret, held);
    } catch (error) {
      this.#parts.onFailed(error);
    }
  }

  async #end(secret: string, held: Held): Promise<void> {
    this.#drop(secret, held);
    let ended = 0;
    for (const transport of held.transports) {
      transport.close(...REFUSAL);
      this.#parts.onRefused('the secret was revoked');
      if (++ended % SLICE === 0) await turn();
    }
  }

  #drop(secret: string, held: Held): void {
    if (this.#held.get(secret) === held) this.#held.delete(secret);
  }
}
