import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { MissingAttribute } from '../../shared/evaluation/condition.ts';
import { compileSnapshot } from '../../shared/evaluation/snapshot.ts';
import { type Flag, parseFlag } from '../../shared/flags/flag.ts';
import { parseSegment, type Segment } from '../../shared/flags/segment.ts';
import { isGuid } from '../../shared/protocol/guid.ts';
import type { SecretCache } from '../../shared/store/secretCache.ts';
import type { SecretGrant } from '../../shared/store/secrets.ts';
import type { Reading } from '../../shared/store/snapshotCache.ts';
import { log } from '../log.ts';

const SECRETS = 'secrets.json';

/**
 * What a host knew last, on disk, so that one that is started while the table is down still serves: environments as they
 * were read last, and which secrets (by their SHA-256) opened them. Files are replaced whole, and readable by their owner.
 */
export class KeptState {
  readonly #directory: string;
  readonly #missingAttribute: MissingAttribute;
  readonly #secrets: Map<string, SecretGrant>;
  readonly #writing = new Map<string, Promise<void>>();

  /** @throws when the directory cannot be made */
  constructor(directory: string, missingAttribute: MissingAttribute) {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    this.#directory = directory;
    this.#missingAttribute = missingAttribute;
    this.#secrets = new Map(Object.entries((readJson(join(directory, SECRETS)) ?? {}) as Record<string, SecretGrant>));
  }

  /** The environments that were kept. */
  get environments(): string[] {
    return readdirSync(this.#directory).flatMap((name) =>
      isGuid(name.replace('.json', '')) ? name.replace('.json', '') : [],
    );
  }

  /** An environment as it was read last. @returns undefined where none was kept, or it cannot be read */
  reading(envId: string): Reading | undefined {
    const kept = readJson(this.#path(envId)) as
      | { version: Reading['version']; flags: unknown[]; segments: unknown[] }
      | undefined;
    if (!kept) return undefined;
    const flags = kept.flags.flatMap((document): Flag[] => valuesOf(parseFlag(document)));
    const segments = kept.segments.flatMap((document): Segment[] => valuesOf(parseSegment(document)));
    const source = {
      envId,
      version: kept.version.updatedAt,
      flags,
      segments,
      missingAttribute: this.#missingAttribute,
    };
    return { version: kept.version, snapshot: compileSnapshot(source) };
  }

  /** Keeps an environment; of several at once the last one counts. */
  keep(envId: string, { snapshot, version }: Reading): void {
    const text = JSON.stringify({
      version,
      flags: snapshot.flags.map(({ document }) => document),
      segments: snapshot.segments.map(({ document }) => document),
    });
    const before = this.#writing.get(envId) ?? Promise.resolve();
    const path = this.#path(envId);
    const after = before.then(async () => {
      if (this.#writing.get(envId) !== after) return;
      await writeFile(`${path}.draft`, text, { mode: 0o600, flush: true });
      await rename(`${path}.draft`, path);
    });
    this.#writing.set(envId, after);
    after.catch((error: Error) => log.warn('an environment could not be kept on disk', { error, envId }));
  }

  /** Forgets an environment that is no more. */
  forget(envId: string): void {
    rmSync(this.#path(envId), { force: true });
  }

  /** Resolves when everything has reached the disk. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#writing.values());
  }

  /** Looks secrets up, and remembers what they open for when the table cannot be asked. */
  remembering(secrets: Pick<SecretCache, 'find'>): Pick<SecretCache, 'find'> {
    return {
      find: async (secret) => {
        const hash = createHash('sha256').update(secret).digest('hex');
        try {
          const grant = await secrets.find(secret);
          this.#remember(hash, grant);
          return grant;
        } catch (error) {
          const grant = this.#secrets.get(hash);
          if (!grant) throw error;
          return Date.now() >= (grant.revokedAt ?? Number.POSITIVE_INFINITY) ? undefined : grant;
        }
      },
    };
  }

  #remember(hash: string, grant: SecretGrant | undefined): void {
    if (JSON.stringify(this.#secrets.get(hash)) === JSON.stringify(grant)) return;
    if (grant) this.#secrets.set(hash, grant);
    else this.#secrets.delete(hash);
    const path = join(this.#directory, SECRETS);
    writeFileSync(`${path}.draft`, JSON.stringify(Object.fromEntries(this.#secrets)), { mode: 0o600 });
    renameSync(`${path}.draft`, path);
  }

  #path(envId: string): string {
    return join(this.#directory, `${envId}.json`);
  }
}

function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
      log.warn('a kept file cannot be read', { path, error: error as Error });
    return undefined;
  }
}

function valuesOf<T>(result: { readonly ok: true; readonly value: T } | { readonly ok: false }): T[] {
  return result.ok ? [result.value] : [];
}
