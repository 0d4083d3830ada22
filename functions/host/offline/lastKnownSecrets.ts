import { setImmediate as turn } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { SECRET_TYPES } from '../../../shared/protocol/secret.ts';
import type { Effects } from '../../../shared/runtime/effects.ts';
import type { SecretCache } from '../../../shared/store/environments/secretCache.ts';
import type { SecretGrant } from '../../../shared/store/environments/secrets.ts';
import { hashSecret } from '../../../shared/store/table/keys.ts';
import type { LimitedLog } from '../../telemetry/limitedLog.ts';
import { StateFiles } from './stateFiles.ts';
import { FIRST_READ_TIMEOUT_MS, inTime, READ_TIMEOUT_MS, TRIAL_TIMEOUT_MS } from './tableWait.ts';

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
  /** How long the next lookup may take. */
  #timeoutMs = FIRST_READ_TIMEOUT_MS;

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

  /**
   * Looks up secrets and saves their access. If the table fails or does not answer in time, the saved access counts. A secret without one
   * waits for the table.
   */
  remembering(secrets: Pick<SecretCache, 'find'>, effects: Pick<Effects, 'onSilence'>): Pick<SecretCache, 'find'> {
    return {
      find: async (secret) => {
        const hash = hashSecret(secret);
        const lookup = secrets.find(secret);
        let grant: SecretGrant | undefined;
        try {
          grant = await this.#inTime(effects, lookup);
        } catch {
          // Read from disk, because another process may have saved it.
          const saved = this.#files.read(hash, schema);
          if (saved) return this.#now() >= (saved.revokedAt ?? Number.POSITIVE_INFINITY) ? undefined : grantOf(saved);
          grant = await lookup;
        }
        if (grant) this.#remember(hash, grant);
        else this.#forget(hash);
        return grant;
      },
    };
  }

  /** Whether the last lookup timed out. */
  get isTableLate(): boolean {
    return this.#timeoutMs === TRIAL_TIMEOUT_MS;
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

  /**
   * Waits for a lookup: shortly after one that timed out, until the table has answered one.
   *
   * @throws on timeout. The lookup is not cancelled
   */
  async #inTime<T>(effects: Pick<Effects, 'onSilence'>, lookup: Promise<T>): Promise<T> {
    // A cached result is there at once, and says nothing about the table.
    if (this.isTableLate && (await isSettled(lookup))) return lookup;
    const answered = () => {
      this.#timeoutMs = READ_TIMEOUT_MS;
    };
    const result = await inTime(effects, lookup, this.#timeoutMs, () => {
      this.#timeoutMs = TRIAL_TIMEOUT_MS;
      lookup.then(answered, () => {});
      return true;
    });
    answered();
    return result;
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

function isSettled(promise: Promise<unknown>): Promise<boolean> {
  const settled = () => true;
  return Promise.race([promise.then(settled, settled), turn(false)]);
}

function grantOf({ envId, type, revokedAt }: SavedSecret): SecretGrant {
  return { envId, type, ...(revokedAt === undefined ? {} : { revokedAt }) };
}
