import type { Effects } from '../../runtime/effects.ts';
import { keepAnswers } from '../../runtime/keepAnswers.ts';
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
  readonly #keep = keepAnswers<Grant | undefined>(SECRET_CACHE_MS, CAPACITY);

  constructor(source: SecretSource<Grant>) {
    this.#source = source;
  }

  /** The access that a secret grants now. @returns undefined if it was never issued or is revoked */
  async find(secret: string): Promise<Grant | undefined> {
    const { secrets, effects } = this.#source;
    const now = effects.now();
    const grant = await this.#keep(secret, now, () => secrets.lookUp(secret));
    return grant && now >= (grant.revokedAt ?? Number.POSITIVE_INFINITY) ? undefined : grant;
  }
}
