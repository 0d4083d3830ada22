import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { SECRET_TYPES } from '../../../shared/protocol/secret.ts';
import type { SecretCache } from '../../../shared/store/environments/secretCache.ts';
import type { SecretGrant } from '../../../shared/store/environments/secrets.ts';
import { hashSecret } from '../../../shared/store/table/keys.ts';
import type { LimitedLog } from '../../telemetry/limitedLog.ts';
import { StateFiles } from './stateFiles.ts';

/** Maximum number of secrets. The one confirmed longest ago is removed first. */
const CAPACITY = 1_000;
/** How often a file records that the table still has the secret, in milliseconds. */
const CONFIRM_MS = 3_600_000;
/** A secret is forgotten if the table has not confirmed it for this time, in milliseconds. */
const FORGET_MS = 30 * 24 * 3_600_000;

const schema = z.object({
  envId: z.string(),
  type: z.enum(SECRET_TYPES),
  revokedAt: z.number().optional(),
  /** When the table last had it, unix milliseconds. */
  confirmedAt: z.number(),
});
type SavedSecret = z.infer<typeof schema>;

/** The last access of each secret, for when the table is down. Each is in a file named by the secret's SHA-256. */
export class LastKnownSecrets {
  readonly #files: StateFiles;
  readonly #now: () => number;
  /** The secrets that this process has read or written, ordered by confirmation. */
  readonly #known: Map<string, SavedSecret>;

  /** @throws if the directory cannot be created */
  constructor(directory: string, now: () => number, limited: LimitedLog) {
    this.#files = new StateFiles(directory, now, limited);
    this.#now = now;
    const found = this.#files.names().flatMap((hash): [string, SavedSecret][] => {
      const saved = this.#files.read(hash, schema);
      return saved ? [[hash, saved]] : [];
    });
    this.#known = new Map(found.sort(([, a], [, b]) => a.confirmedAt - b.confirmedAt));
    for (const [hash, { confirmedAt }] of this.#known) if (confirmedAt < now() - FORGET_MS) this.#forget(hash);
    this.#forgetOverCapacity();
  }

  /** Looks up secrets and saves their access. While the table is down, the saved access counts. */
  remembering(secrets: Pick<SecretCache, 'find'>): Pick<SecretCache, 'find'> {
    return {
      find: async (secret) => {
        const hash = hashSecret(secret);
        let grant: SecretGrant | undefined;
        try {
          grant = await secrets.find(secret);
        } catch (error) {
          // Read from disk, because another process may have saved it.
          const saved = this.#files.read(hash, schema);
          if (!saved) throw error;
          return this.#now() >= (saved.revokedAt ?? Number.POSITIVE_INFINITY) ? undefined : grantOf(saved);
        }
        if (grant) this.#remember(hash, grant);
        else this.#forget(hash);
        return grant;
      },
    };
  }

  /** The environments of the secrets. */
  get environments(): string[] {
    return [...this.#known.values()].map(({ envId }) => envId);
  }

  /** Deletes the secrets of a deleted environment. */
  forgetEnvironment(gone: string): void {
    for (const [hash, { envId }] of this.#known) if (envId === gone) this.#forget(hash);
  }

  /** Resolves when all data has reached the disk. */
  flushed(): Promise<void> {
    return this.#files.flushed();
  }

  #remember(hash: string, grant: SecretGrant): void {
    const known = this.#known.get(hash);
    const now = this.#now();
    const isRecent = known && Math.abs(now - known.confirmedAt) < CONFIRM_MS;
    if (isRecent && isDeepStrictEqual(grantOf(known), grant)) return;
    const saved: SavedSecret = { ...grant, confirmedAt: now };
    this.#known.delete(hash);
    this.#known.set(hash, saved);
    this.#files.later(hash, () => this.#files.write(hash, saved));
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

function grantOf({ envId, type, revokedAt }: SavedSecret): SecretGrant {
  return { envId, type, ...(revokedAt === undefined ? {} : { revokedAt }) };
}
