import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { SECRET_TYPES } from '../../shared/protocol/secret.ts';
import { hashSecret } from '../../shared/store/keys.ts';
import type { SecretCache } from '../../shared/store/secretCache.ts';
import type { SecretGrant } from '../../shared/store/secrets.ts';
import type { LimitedLog } from '../telemetry/limitedLog.ts';
import { StateFiles } from './stateFiles.ts';

/** Secrets kept at most; the one that was confirmed longest ago makes room. */
const CAPACITY = 1_000;
/** How often it is noted that the table still has a secret. */
const CONFIRM_MS = 3_600_000;
/** A secret that the table has not confirmed for this long is forgotten. */
const FORGET_MS = 30 * 24 * 3_600_000;

const schema = z.object({
  envId: z.string(),
  type: z.enum(SECRET_TYPES),
  revokedAt: z.number().optional(),
  /** When the table last had it, unix milliseconds. */
  confirmedAt: z.number(),
});
type KeptSecret = z.infer<typeof schema>;

/** What secrets opened last, each in a file by its SHA-256, for when the table cannot be asked. */
export class LastKnownSecrets {
  readonly #files: StateFiles;
  readonly #now: () => number;
  /** As this process has read or written them; the one confirmed longest ago first. */
  readonly #known: Map<string, KeptSecret>;

  /** @throws when the directory cannot be made */
  constructor(directory: string, now: () => number, limited: LimitedLog) {
    this.#files = new StateFiles(directory, limited);
    this.#now = now;
    const found = this.#files.names().flatMap((hash): [string, KeptSecret][] => {
      const kept = this.#files.read(hash, schema);
      return kept ? [[hash, kept]] : [];
    });
    this.#known = new Map(found.sort(([, a], [, b]) => a.confirmedAt - b.confirmedAt));
    for (const [hash, { confirmedAt }] of this.#known) if (confirmedAt < now() - FORGET_MS) this.#forget(hash);
    this.#forgetOverCapacity();
  }

  /** Looks secrets up, and remembers what they open. While the table cannot be asked, what is kept decides. */
  remembering(secrets: Pick<SecretCache, 'find'>): Pick<SecretCache, 'find'> {
    return {
      find: async (secret) => {
        const hash = hashSecret(secret);
        let grant: SecretGrant | undefined;
        try {
          grant = await secrets.find(secret);
        } catch (error) {
          // From the disk: another process may have learnt of it.
          const kept = this.#files.read(hash, schema);
          if (!kept) throw error;
          return this.#now() >= (kept.revokedAt ?? Number.POSITIVE_INFINITY) ? undefined : grantOf(kept);
        }
        if (grant) this.#remember(hash, grant);
        else this.#forget(hash);
        return grant;
      },
    };
  }

  /** The environments that secrets are kept of. */
  get environments(): string[] {
    return [...this.#known.values()].map(({ envId }) => envId);
  }

  /** Forgets the secrets of an environment that is gone. */
  forgetEnvironment(gone: string): void {
    for (const [hash, { envId }] of this.#known) if (envId === gone) this.#forget(hash);
  }

  /** Resolves when everything has reached the disk. */
  settled(): Promise<void> {
    return this.#files.settled();
  }

  #remember(hash: string, grant: SecretGrant): void {
    const known = this.#known.get(hash);
    const now = this.#now();
    const isRecent = known && Math.abs(now - known.confirmedAt) < CONFIRM_MS;
    if (isRecent && isDeepStrictEqual(grantOf(known), grant)) return;
    const kept: KeptSecret = { ...grant, confirmedAt: now };
    this.#known.delete(hash);
    this.#known.set(hash, kept);
    this.#files.later(hash, () => this.#files.write(hash, kept));
    this.#forgetOverCapacity();
  }

  #forget(hash: string): void {
    if (this.#known.delete(hash)) this.#files.later(hash, () => this.#files.remove(hash));
  }

  #forgetOverCapacity(): void {
    for (const hash of this.#known.keys()) {
      if (this.#known.size <= CAPACITY) return;
      this.#forget(hash);
    }
  }
}

function grantOf({ envId, type, revokedAt }: KeptSecret): SecretGrant {
  return { envId, type, ...(revokedAt === undefined ? {} : { revokedAt }) };
}
