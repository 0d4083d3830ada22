import { mapConcurrently } from '../../../shared/runtime/mapConcurrently.ts';
import type { SecretCache } from '../../../shared/store/environments/secretCache.ts';
import type { RevocableGrant } from '../../../shared/store/environments/secrets.ts';
import type { HostEvents } from '../hostEvents.ts';
import type { Connection } from '../transport/transport.ts';
import { closeAll } from '../transport/transport.ts';

/** Interval between two lookups of a secret in use, in milliseconds. The result may be as old as the cache allows. */
const RECHECK_MS = 15_000;
/** Interval between two searches for due secrets, in milliseconds. */
const CHECK_INTERVAL_MS = 1_000;

/** Dependencies of checking secrets. */
interface GrantsDeps {
  readonly secrets: Pick<SecretCache<RevocableGrant>, 'find'>;
  /** Unix milliseconds. */
  readonly now: () => number;
  /** Each connection that is closed counts as refused. */
  readonly events: Pick<HostEvents, 'onRefused' | 'onFailed'>;
}

/** A secret in use, and the result of its last lookup. */
interface CachedGrant {
  grant: RevocableGrant;
  lookedUpAt: number;
  readonly transports: Set<Connection>;
  /** Shared by its connections, to save memory. */
  readonly release: (transport: Connection) => void;
}

/**
 * The secrets of open connections. When a secret is revoked or deleted, its connections are closed with 4003. FeatBit's
 * SDKs then do not reconnect.
 *
 * This takes at most `SECRET_CACHE_MS`, 16 seconds and the lookup. While the table is down, only revocations known
 * before apply.
 */
export class Grants {
  readonly #deps: GrantsDeps;
  readonly #held = new Map<string, CachedGrant>();
  #isLookingUp = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(deps: GrantsDeps) {
    this.#deps = deps;
  }

  /** Starts to check the secrets. */
  watch(): void {
    this.#timer = setInterval(() => this.check(), CHECK_INTERVAL_MS);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /**
   * Tracks a connection that uses a secret.
   *
   * @returns a function to call with the connection when it has closed
   */
  hold(
    { secret, grant }: { readonly secret: string; readonly grant: RevocableGrant },
    transport: Connection,
  ): (transport: Connection) => void {
    const held = this.#held.get(secret) ?? this.#add(secret, grant);
    held.grant = grant;
    held.transports.add(transport);
    return held.release;
  }

  #add(secret: string, grant: RevocableGrant): CachedGrant {
    const transports = new Set<Connection>();
    const release = (transport: Connection) => {
      transports.delete(transport);
      if (transports.size === 0) this.#drop(secret, held);
    };
    const held = { grant, lookedUpAt: this.#deps.now(), transports, release };
    this.#held.set(secret, held);
    return held;
  }

  /** Closes the connections of secrets that are now revoked, and looks up due secrets. */
  check(): void {
    const now = this.#deps.now();
    const due: [string, CachedGrant][] = [];
    for (const [secret, held] of this.#held) {
      if (now >= (held.grant.revokedAt ?? Number.POSITIVE_INFINITY)) void this.#end(secret, held);
      // Compares the distance, so that a clock set back does not extend anything.
      else if (Math.abs(now - held.lookedUpAt) >= RECHECK_MS) due.push([secret, held]);
    }
    if (!this.#isLookingUp) void this.#lookUpAll(due);
  }

  async #lookUpAll(due: readonly [string, CachedGrant][]): Promise<void> {
    this.#isLookingUp = true;
    await mapConcurrently(due, async ([secret, held]) => {
      if (this.#held.get(secret) === held) await this.#lookUp(secret, held);
    });
    this.#isLookingUp = false;
  }

  async #lookUp(secret: string, held: CachedGrant): Promise<void> {
    held.lookedUpAt = this.#deps.now();
    try {
      const grant = await this.#deps.secrets.find(secret);
      if (grant) held.grant = grant;
      else await this.#end(secret, held);
    } catch (error) {
      this.#deps.events.onFailed(error);
    }
  }

  async #end(secret: string, held: CachedGrant): Promise<void> {
    this.#drop(secret, held);
    await closeAll(held.transports, () => this.#deps.events.onRefused('the secret was revoked'));
  }

  #drop(secret: string, held: CachedGrant): void {
    if (this.#held.get(secret) === held) this.#held.delete(secret);
  }
}
