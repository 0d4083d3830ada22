import type { SecretCache } from '../../shared/store/secretCache.ts';
import type { RevocableGrant } from '../../shared/store/secrets.ts';
import { closeAll } from './closeAll.ts';
import type { Connection } from './transport.ts';

/** Time between two look-ups of a secret in use; the result may be as old as the cache allows. */
const RECHECK_MS = 15_000;
/** Time between two searches for due secrets. */
const CHECK_INTERVAL_MS = 1_000;
/** Secrets that are looked up at the same time. */
const CONCURRENCY = 50;

/** Dependencies and callbacks of checking secrets. */
interface GrantsDeps {
  readonly secrets: Pick<SecretCache<RevocableGrant>, 'find'>;
  /** Unix milliseconds. */
  readonly now: () => number;
  /** Called with each closed connection and the reason. */
  readonly onRefused: (reason: string) => void;
  readonly onFailed: (error: unknown) => void;
}

/** A secret in use, and what it opened at its last look-up. */
interface CachedGrant {
  grant: RevocableGrant;
  lookedUpAt: number;
  readonly transports: Set<Connection>;
}

/**
 * The secrets of open connections. When a secret is revoked or deleted, its connections are closed with 4003, after which FeatBit's
 * SDKs do not reconnect. This takes at most `SECRET_CACHE_MS` plus 16 seconds plus the look-up. While the table is down, only
 * revocations that were known before count.
 */
export class Grants {
  readonly #deps: GrantsDeps;
  readonly #held = new Map<string, CachedGrant>();
  #isLookingUp = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(deps: GrantsDeps) {
    this.#deps = deps;
  }

  /** Begins to check the secrets. */
  watch(): void {
    this.#timer = setInterval(() => this.check(), CHECK_INTERVAL_MS);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /**
   * Tracks a connection that a secret opened.
   *
   * @returns a function to call when the connection has closed
   */
  hold(
    { secret, grant }: { readonly secret: string; readonly grant: RevocableGrant },
    transport: Connection,
  ): () => void {
    const held = this.#held.get(secret) ?? { grant, lookedUpAt: this.#deps.now(), transports: new Set() };
    this.#held.set(secret, held);
    held.grant = grant;
    held.transports.add(transport);
    return () => {
      held.transports.delete(transport);
      if (held.transports.size === 0) this.#drop(secret, held);
    };
  }

  /** Closes the connections of secrets whose time of revocation has come, and looks up due secrets. */
  check(): void {
    const now = this.#deps.now();
    const due: [string, CachedGrant][] = [];
    for (const [secret, held] of this.#held) {
      if (now >= (held.grant.revokedAt ?? Number.POSITIVE_INFINITY)) void this.#end(secret, held);
      // By distance, so that a clock that was set back prolongs nothing.
      else if (Math.abs(now - held.lookedUpAt) >= RECHECK_MS) due.push([secret, held]);
    }
    if (!this.#isLookingUp) void this.#lookUpAll(due);
  }

  async #lookUpAll(due: readonly [string, CachedGrant][]): Promise<void> {
    this.#isLookingUp = true;
    const left = due.values();
    const lookUpInTurn = async () => {
      for (const [secret, held] of left) if (this.#held.get(secret) === held) await this.#lookUp(secret, held);
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, lookUpInTurn));
    this.#isLookingUp = false;
  }

  async #lookUp(secret: string, held: CachedGrant): Promise<void> {
    held.lookedUpAt = this.#deps.now();
    try {
      const grant = await this.#deps.secrets.find(secret);
      if (grant) held.grant = grant;
      else await this.#end(secret, held);
    } catch (error) {
      this.#deps.onFailed(error);
    }
  }

  async #end(secret: string, held: CachedGrant): Promise<void> {
    this.#drop(secret, held);
    await closeAll(held.transports, () => this.#deps.onRefused('the secret was revoked'));
  }

  #drop(secret: string, held: CachedGrant): void {
    if (this.#held.get(secret) === held) this.#held.delete(secret);
  }
}
