import type { Effects } from '../../runtime/effects.ts';
import type { RevocableGrant, SecretGrant } from './secrets.ts';

/** How long a warm instance caches a secret, in milliseconds. A revoked one is refused within this time. */
export const SECRET_CACHE_MS = 30_000;

/** Maximum number of cached secrets. A hostile client's guesses evict each other and cost one read each. */
const CAPACITY = 10_000;

/** Lookups that the cache wraps. */
interface SecretSource<Grant> {
  readonly secrets: { lookUp(secret: string): Promise<Grant | undefined> };
  readonly effects: Effects;
}

/** Looks up secrets and caches the results briefly, including refusals. */
export class SecretCache<Grant extends RevocableGrant = SecretGrant> {
  readonly #source: SecretSource<Grant>;
  readonly #known = new Map<string, { readonly grant: Promise<Grant | undefined>; readonly at: number }>();

  constructor(source: SecretSource<Grant>) {
    this.#source = source;
  }

  /** The access that a secret grants now. @returns undefined if it was never issued or is revoked */
  async find(secret: string): Promise<Grant | undefined> {
    const now = this.#source.effects.now();
    const grant = await this.#lookUp(secret, now);
    return grant && now >= (grant.revokedAt ?? Number.POSITIVE_INFINITY) ? undefined : grant;
  }

  #lookUp(secret: string, now: number): Promise<Grant | undefined> {
    const known = this.#known.get(secret);
    // A clock that was set back must not extend an entry.
    if (known && now >= known.at && now < known.at + SECRET_CACHE_MS) return known.grant;

    const grant = this.#source.secrets.lookUp(secret);
    const answer = { grant, at: now };
    this.#known.delete(secret);
    this.#known.set(secret, answer);
    grant.catch(() => {
      if (this.#known.get(secret) === answer) this.#known.delete(secret);
    });
    const oldest = this.#known.keys().next();
    if (this.#known.size > CAPACITY && !oldest.done) this.#known.delete(oldest.value);
    return grant;
  }
}
